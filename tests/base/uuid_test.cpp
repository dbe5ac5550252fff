#include "base/uuid.h"

#include "catch.h"

using namespace gonogo;

// Expected values are those of Python's uuid.uuid5(uuid.NAMESPACE_URL, name).hex.
TEST_CASE("a name's UUID is that of Python's uuid5 in the namespace of URLs") {
  const struct {
    std::string name;
    const char* id;
  } rows[] = {
      {std::string("", 0), "1b4db7eb40575ddf91e036dec72071f5"},
      {std::string("a", 1), "e1407479313656c09908bb02fb0339e2"},
      {std::string("a\000/x", 4), "68da6cd16a47540e92b7d8a9fd06a6c5"},
      {std::string("sql\000org/sql-lora", 16), "f1d1af9c93bc533e931a17779613395c"},
      {std::string(39, 'x'), "f4eaee1ee483528b88bd6b8932ab6e2b"},
      {std::string(40, 'x'), "f562c38aa8fe5cddb5236f30cfb54847"},
      {std::string(47, 'x'), "b18474ae5fc65d04aa24a5be94234955"},
      {std::string(48, 'x'), "8fa6ffa992805899a2d8b082ccdf6380"},
      {std::string(111, 'x'), "aab9920250f3534abc28c118fe72986d"},
      {std::string(112, 'x'), "f531054feafa5f71a62b6dd48019d086"},
      {std::string(1000, 'x'), "68491f2375a7557d943b00881c13ae1e"},
      {std::string("Gr\303\274\303\237e\000/\303\274", 11), "8511414f34d05bf893cd8925bb71bf7f"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.name.size());
    CHECK(uuid5_url(row.name) == row.id);
  }
}
