// What a row of an end-to-end table expects of a run: `status`, texts that the report says, and texts that it never says.
#pragma once

#include "catch.h"
#include "cli/run_binary.h"

namespace gonogo::test {

template <typename Row>
void expect(const Ran& ran, const Row& row) {
  INFO(row.name << "\n" << ran.out << ran.err);
  CHECK(ran.status == row.status);
  for (const std::string& text : row.says) {
    INFO("must say: " << text);
    CHECK(ran.out.find(text) != std::string::npos);
  }
  for (const std::string& text : row.never) {
    INFO("must not say: " << text);
    CHECK(ran.out.find(text) == std::string::npos);
  }
}

}  // namespace gonogo::test
