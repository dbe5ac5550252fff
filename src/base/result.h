// Errors are values: what went wrong, where, and what to do about it. Nothing throws across a module's edge.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace gonogo {

// A place in a user's file. `line` and `column` count from 1; 0 means not known.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
};

// Why something could not be done. `what` is one sentence; `hint` says what to do, or is empty;
// `excerpt` is the offending line with a caret under the place, or empty.
struct Error {
  enum class Kind {
    kInput,     // a file or value of the user can't be read or understood: exit 2
    kUsage,     // gonogo itself was called wrongly: exit 4
    kInternal,  // a fault of ours: exit 70
  };
  Kind kind = Kind::kInput;
  std::string what;
  Place place;
  std::string hint;
  std::string excerpt;
};

// "file:3:7: what (hint)" and the excerpt below it.
std::string to_text(const Error& error);

// A T, or why there is none.
template <typename T>
class Result {
 public:
  Result(T value) : held_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : held_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return std::holds_alternative<T>(held_); }
  explicit operator bool() const { return ok(); }
  T& operator*() { return std::get<T>(held_); }
  const T& operator*() const { return std::get<T>(held_); }
  T* operator->() { return &std::get<T>(held_); }
  const T* operator->() const { return &std::get<T>(held_); }
  const Error& error() const { return std::get<Error>(held_); }

 private:
  std::variant<T, Error> held_;
};

}  // namespace gonogo
