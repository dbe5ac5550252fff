#include "flags/given.h"

#include "base/json.h"
#include "catch.h"
#include "flags/small_pack.h"

using namespace gonogo;
using namespace gonogo::testing;

TEST_CASE("defaults depend on the version", "[flags][given]") {
  const Pack& pack = small_pack();
  Arena arena;
  const std::uint32_t mode = pack.find_field("mode");
  REQUIRE(mode != kNoIndex);
  const std::uint32_t first = pack.version_index("1.0");
  const std::uint32_t second = pack.version_index("1.1");
  CHECK(to_json(default_given(pack, first, arena).value(mode)) == "\"fast\"");
  CHECK(to_json(default_given(pack, second, arena).value(mode)) == "\"quick\"");
  CHECK(default_given(pack, first, arena).field_count == pack.fields.size());
  // A flag that only one version has leaves its field's default in the other.
  CHECK(to_json(default_given(pack, first, arena).value(pack.find_field("newer"))) == "false");
  CHECK(to_json(default_given(pack, second, arena).value(pack.find_field("older"))) == "false");
}

TEST_CASE("a change of a copy leaves the original alone", "[flags][given]") {
  const Pack& pack = small_pack();
  Arena arena;
  const std::uint32_t size = pack.find_field("size");
  Given given = default_given(pack, pack.version_index("1.1"), arena);
  given.set(size, Value::integer(4));
  Given copy = copy_of(given, arena);
  copy.set(size, Value::integer(8));
  CHECK(given.value(size).as_int() == 4);
  CHECK(copy.value(size).as_int() == 8);
  CHECK(copy.typed(size));
  reset(pack, &copy, size, arena);
  CHECK(copy.value(size).as_int() == 1);
  CHECK_FALSE(copy.typed(size));
  CHECK(given.typed(size));
}
