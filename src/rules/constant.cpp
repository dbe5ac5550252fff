#include "rules/constant.h"

#include <bit>

#include "rules/code.h"

namespace gonogo {

bool scalar_constant(const Pack& pack, std::uint32_t w, Value* out) {
  const std::uint32_t n = operand_of(w);
  switch (op_of(w)) {
    case Op::kNone:
      *out = Value();
      return true;
    case Op::kTrue:
    case Op::kFalse:
      *out = Value::boolean(op_of(w) == Op::kTrue);
      return true;
    case Op::kSmallInt:
      *out = Value::integer(static_cast<std::int32_t>(w) >> 8);
      return true;
    case Op::kInt:
      *out = Value::integer(static_cast<std::int64_t>(pack.numbers[n]));
      return true;
    case Op::kFloat:
      *out = Value::real(std::bit_cast<double>(pack.numbers[n]));
      return true;
    case Op::kStr:
      *out = Value::str(pack.text(n));
      return true;
    default:
      return false;
  }
}

namespace {

class Reader {
 public:
  Reader(const Pack& pack, CodeRef at, Arena& arena) : pack_(pack), at_(at), arena_(arena) {}

  Value read() {
    const std::uint32_t w = pack_.code[at_++];
    const std::uint32_t n = operand_of(w);
    Value scalar;
    if (scalar_constant(pack_, w, &scalar)) return scalar;
    switch (op_of(w)) {
      case Op::kList:
      case Op::kTuple: {
        auto* items = arena_.array<Value>(n);
        for (std::uint32_t i = 0; i < n; ++i) new (items + i) Value(read());
        return op_of(w) == Op::kList ? Value::list(items, n) : Value::tuple(items, n);
      }
      case Op::kDict: {
        auto* entries = arena_.array<Entry>(n);
        for (std::uint32_t i = 0; i < n; ++i) {
          const Value key = read();
          new (entries + i) Entry{key, read()};
        }
        return Value::dict(entries, n);
      }
      default:
        return {};
    }
  }

 private:
  const Pack& pack_;
  CodeRef at_;
  Arena& arena_;
};

}  // namespace

Value constant(const Pack& pack, CodeRef code, Arena& arena) {
  return code == 0 ? Value() : Reader(pack, code, arena).read();
}

}  // namespace gonogo
