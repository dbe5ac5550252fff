// Python's operators on values. Operands are neither unknown nor errors (the evaluator sees to that); a refusal such
// as `None < 3` or an overflow is an error value.
#pragma once

#include "base/arena.h"
#include "base/value.h"
#include "rules/code.h"

namespace gonogo {

Value arithmetic(Op op, const Value& a, const Value& b, Arena& arena);
Value negated(const Value& v);

// a <op> b for == != < <= > >= in, not in, is, is not. May be unknown where `b` holds unknown items.
Value compared(Op op, const Value& a, const Value& b);

// Negative, zero or positive by Python's ordering; false where the kinds can't be ordered.
bool ordering(const Value& a, const Value& b, int* order);

Value indexed(const Value& object, const Value& index, Arena& arena);
Value sliced(const Value& object, const Value* start, const Value* end, Arena& arena);

// A list of `count` items, copied into the arena.
Value make_list(const Value* items, std::size_t count, Arena& arena);

Value type_error(std::string_view message);
Value value_error(std::string_view message);

}  // namespace gonogo
