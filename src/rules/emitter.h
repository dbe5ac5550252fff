// From a parsed expression to checked code: resolves every name, checks types and arities, and appends the words.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "rules/code.h"
#include "rules/expression.h"
#include "rules/pack_data.h"
#include "rules/symbols.h"

namespace gonogo {

// Which facts and functions some code uses; what the check for recursion goes by.
struct Uses {
  std::vector<std::uint32_t> facts;
  std::vector<std::uint32_t> functions;
};

class Emitter {
 public:
  // `data` receives texts, numbers and slots; `symbols` must outlive the emitter. `uses` may be null.
  Emitter(PackData& data, const Symbols& symbols, Scope scope, Uses* uses)
      : data_(data), symbols_(symbols), scope_(std::move(scope)), uses_(uses) {}

  // Appends the code of `e` and returns the kinds it may have; false where it is wrong (see `error`).
  bool emit(const Expression& e, Types* types);

  void emit_str(std::string_view text) { put(word(Op::kStr, data_.intern(text))); }
  void emit_int(std::int64_t value);
  void emit_float(double value);
  void put(std::uint32_t w) { words_.push_back(w); }

  const std::vector<std::uint32_t>& words() const { return words_; }
  const ExpressionError& error() const { return error_; }

 private:
  bool fail(std::size_t offset, std::string what, std::string hint = {});
  bool unknown_name(const Expression& e, std::string_view kind, std::string_view name, const NameIndex& names);
  std::size_t open(Op op);     // starts a node whose operand is its length
  void close(std::size_t at);  // fills the length in
  std::size_t reserve();       // a word that `fill` sets to the length of what follows it
  void fill(std::size_t at);

  bool name(const Expression& e, Types* types);
  bool field(const Expression& e, Op op, std::string_view text, Types* types);
  bool attribute(const Expression& e, Types* types);
  bool in_namespace(const Expression& e, std::string_view space, Types* types, bool* found);
  bool index(const Expression& e, Types* types);
  bool slice(const Expression& e, Types* types);
  bool call(const Expression& e, Types* types);
  bool builtin(const Expression& e, Types* types);
  bool special_call(const Expression& e, Types* types, bool* found);
  bool method(const Expression& e, Types* types);
  bool unary(const Expression& e, Types* types);
  bool binary(const Expression& e, Types* types);
  bool logical(const Expression& e, Types* types);
  bool compare(const Expression& e, Types* types);
  bool comparable(const Expression& e, std::string_view op, Types left, Types right);
  bool conditional(const Expression& e, Types* types);
  bool items(const Expression& e, Op op, std::uint32_t count);
  bool comprehension(const Expression& e, Types* types);
  bool is_local(std::string_view name) const;

  PackData& data_;
  const Symbols& symbols_;
  Scope scope_;
  Uses* uses_;
  std::vector<std::uint32_t> words_;
  ExpressionError error_;
  const Expression* unordered_ = nullptr;  // the node that may be a set(): where nothing sees an order
};

}  // namespace gonogo
