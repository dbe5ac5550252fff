// Writes a JSON text member by member, in the order in which a report is read. Commas are its own business; that every
// open() has its close() is the caller's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/value.h"

namespace gonogo {

class JsonWriter {
 public:
  // Opens an object or array, '{' or '[': an element, or a member where `name` is given.
  void open(char c) {
    comma();
    out_ += c;
    first_ = true;
  }
  void open(std::string_view name, char c) {
    key(name);
    out_ += c;
    first_ = true;
  }
  void close(char c) {
    out_ += c;
    first_ = false;
  }

  void text(std::string_view name, std::string_view value) {
    key(name);
    append_json_string(out_, value);
  }
  void number(std::string_view name, std::int64_t value) {
    key(name);
    out_ += std::to_string(value);
  }
  void boolean(std::string_view name, bool value) {
    key(name);
    out_ += value ? "true" : "false";
  }
  void null(std::string_view name) {
    key(name);
    out_ += "null";
  }
  void value(std::string_view name, const Value& v) {
    key(name);
    out_ += to_json(v);
  }
  void list(std::string_view name, const std::vector<std::string>& texts) {
    open(name, '[');
    for (const std::string& t : texts) item(t);
    close(']');
  }
  // JSON text as it is, but for a last newline: a member where `name` is given, else an element.
  void raw(std::string_view name, std::string_view json) {
    if (name.empty()) {
      comma();
    } else {
      key(name);
    }
    out_ += json.substr(0, json.size() - (json.ends_with('\n') ? 1 : 0));
  }
  // A text in an array.
  void item(std::string_view value) {
    comma();
    append_json_string(out_, value);
  }

  std::string take() { return std::move(out_); }

 private:
  void key(std::string_view name) {
    comma();
    append_json_string(out_, name);
    out_ += ':';
  }
  void comma() {
    if (!first_) out_ += ',';
    first_ = false;
  }

  std::string out_;
  bool first_ = true;
};

}  // namespace gonogo
