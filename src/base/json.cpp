#include "base/json.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/text.h"

namespace gonogo {

namespace {

Error error_at(std::string_view text, std::string_view file, std::size_t offset, std::string what,
               std::string hint = {}) {
  Error error;
  error.what = std::move(what);
  error.hint = std::move(hint);
  error.place.file = file;
  error.excerpt = caret_excerpt(text, offset, &error.place.line, &error.place.column);
  return error;
}

// Python's constants, which the parser below refuses: their offsets and values, in order.
using Constants = std::vector<std::pair<std::size_t, double>>;

// Writes `0` and spaces over NaN, Infinity and -Infinity where they stand as values, and notes them.
// Offsets in `text` stay the same. What is inside a string or part of another word is left alone.
Constants lex_constants_away(std::string& text) {
  constexpr std::pair<std::string_view, double> kConstants[] = {
      {"NaN", std::numeric_limits<double>::quiet_NaN()},
      {"Infinity", std::numeric_limits<double>::infinity()},
      {"-Infinity", -std::numeric_limits<double>::infinity()},
  };
  const auto in = [](char c, std::string_view set) { return set.find(c) != std::string_view::npos; };
  Constants found;
  char before = ',';
  for (std::size_t i = 0; i < text.size(); before = text[i], ++i) {
    if (text[i] == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\') ++i;
      }
      if (i >= text.size()) break;
      continue;
    }
    if (!in(text[i], "NI-") || !in(before, " \t\r\n[:,")) continue;
    for (const auto& [word, value] : kConstants) {
      if (text.compare(i, word.size(), word) != 0) continue;
      const std::size_t end = i + word.size();
      if (end < text.size() && !in(text[end], " \t\r\n,]}")) continue;
      found.emplace_back(i, value);
      std::memset(text.data() + i, ' ', word.size());
      text[i] = '0';
      i = end - 1;
      break;
    }
  }
  return found;
}

// A character iterator that says how far the parser has read.
class Cursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Cursor(const char* at, const char** read) : at_(at), read_(read) {}
  reference operator*() const { return *at_; }
  Cursor& operator++() {
    *read_ = ++at_;
    return *this;
  }
  bool operator==(const Cursor& other) const { return at_ == other.at_; }
  bool operator!=(const Cursor& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** read_;
};

// Builds the value from the parser's events.
class Builder {
 public:
  using Json = nlohmann::json;

  Builder(std::string_view text, std::string_view file, Arena& arena, int depth)
      : text_(text), file_(file), arena_(arena), depth_(depth), read_(text.data()) {}

  // `text` is what is parsed: the original, or the original without `constants`.
  Result<Value> parse(std::string_view text, const Constants& constants) {
    constants_ = &constants;
    base_ = text.data();
    read_ = base_;
    const bool done = Json::sax_parse(Cursor(base_, &read_), Cursor(base_ + text.size(), &read_), this);
    if (!done || pending_.empty()) return std::move(error_);
    return pending_.front().value;
  }

  bool null() { return add(Value::none()); }
  bool boolean(bool b) { return add(Value::boolean(b)); }
  bool number_integer(Json::number_integer_t i) { return add(Value::integer(i)); }
  bool number_unsigned(Json::number_unsigned_t u) {
    if (u == 0 && !constants_->empty()) {
      // The parser has read the digit and the space behind it.
      const auto it = std::lower_bound(constants_->begin(), constants_->end(), std::pair(offset() - 2, -1.0),
                                       [](const auto& a, const auto& b) { return a.first < b.first; });
      if (it != constants_->end() && it->first + 2 == offset()) return add(Value::real(it->second));
    }
    constexpr auto kMax = static_cast<Json::number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
    return add(u > kMax ? Value::real(static_cast<double>(u)) : Value::integer(static_cast<std::int64_t>(u)));
  }
  bool number_float(Json::number_float_t d, const std::string& /*text*/) { return add(Value::real(d)); }
  bool string(std::string& text) { return add(Value::str(arena_.copy(text))); }
  bool binary(Json::binary_t& /*bytes*/) { return false; }

  bool start_object(std::size_t /*size*/) { return open(); }
  bool start_array(std::size_t /*size*/) { return open(); }

  bool key(std::string& name) {
    Frame& frame = frames_.back();
    if (known(frame, name)) {
      std::size_t quote = offset() - 1;  // the closing quote has just been read
      while (quote > 0) {
        --quote;
        if (base_[quote] != '"') continue;
        std::size_t slashes = 0;
        while (slashes < quote && base_[quote - 1 - slashes] == '\\') ++slashes;
        if (slashes % 2 == 0) break;
      }
      std::string shown;
      append_json_string(shown, name);
      return fail(quote, "the key " + shown + " stands twice in the same object");
    }
    const std::string_view kept = arena_.copy(name);
    if (!frame.names.empty()) frame.names.insert(kept);
    key_ = Value::str(kept);
    return true;
  }

  bool end_object() {
    const Frame frame = close();
    const std::size_t count = pending_.size() - frame.first;
    Entry* entries = arena_.array<Entry>(count);
    std::copy(pending_.begin() + static_cast<std::ptrdiff_t>(frame.first), pending_.end(), entries);
    pending_.resize(frame.first);
    return add(Value::dict(entries, static_cast<std::uint32_t>(count)));
  }

  bool end_array() {
    const Frame frame = close();
    const std::size_t count = pending_.size() - frame.first;
    Value* items = arena_.array<Value>(count);
    for (std::size_t i = 0; i < count; ++i) items[i] = pending_[frame.first + i].value;
    pending_.resize(frame.first);
    return add(Value::list(items, static_cast<std::uint32_t>(count)));
  }

  bool parse_error(std::size_t position, const std::string& last_token, const nlohmann::detail::exception& ex) {
    std::string what = ex.what();
    const bool cut_off = what.find("unexpected end of input") != std::string::npos;
    const bool open_string = what.find("missing closing quote") != std::string::npos;
    const bool token = what.find("unexpected") != std::string::npos && !cut_off;
    if (what.find("number overflow") != std::string::npos) {
      return fail(offset_of(position, last_token.size()), "a number is too large");
    }
    // "[…] parse error at line L, column C: syntax error while parsing value - unexpected ']'; expected …"
    for (const std::string_view prefix : {": syntax error ", "while parsing ", " - "}) {
      const std::size_t at = what.find(prefix);
      if (at == std::string::npos) break;
      what.erase(0, at + prefix.size());
    }
    if (const std::size_t read = what.find("; last read: "); read != std::string::npos) {
      const std::size_t more = what.find("; expected", read);
      what.erase(read, more == std::string::npos ? more : more - read);
    }
    std::size_t at = std::min(position > 0 ? position - 1 : 0, text_.size());
    // The token's text, which for punctuation holds what stands before it too. Its end counts as read.
    if (token) at = offset_of(position, what.find("unexpected '") != std::string::npos ? 1 : last_token.size());
    if (open_string) at = offset_of(position, last_token.size() + 1);
    std::string hint;
    if (cut_off) {
      at = text_.find_last_not_of(" \t\r\n") + 1;  // npos + 1 is the beginning
      hint = text_.empty() ? "the text is empty" : "the text is cut off";
    } else if (const std::size_t before = text_.substr(0, at).find_last_not_of(" \t\r\n");
               before != std::string_view::npos && text_[before] == ',' && at < text_.size() &&
               (text_[at] == '}' || text_[at] == ']')) {
      at = before;
      hint = "JSON has no comma behind the last item";
    } else if (at < text_.size() && text_[at] == '\'') {
      hint = "JSON has double quotes only";
    }
    return fail(at, "not valid JSON: " + what, std::move(hint));
  }

 private:
  struct Frame {
    std::size_t first = 0;                       // its items in pending_
    Value key;                                   // under which it lies in its parent
    std::unordered_set<std::string_view> names;  // its keys, once there are many
  };

  std::size_t offset() const { return static_cast<std::size_t>(read_ - base_); }

  static std::size_t offset_of(std::size_t position, std::size_t token) {
    return position >= token ? position - token : 0;
  }

  bool fail(std::size_t at, std::string what, std::string hint = {}) {
    error_ = error_at(text_, file_, at, std::move(what), std::move(hint));
    return false;
  }

  bool add(Value value) {
    pending_.push_back({key_, value});
    return true;
  }

  bool open() {
    if (static_cast<int>(frames_.size()) >= depth_) {
      return fail(offset() - 1, "nested more than " + std::to_string(depth_) + " levels deep");
    }
    frames_.push_back({pending_.size(), key_, {}});
    return true;
  }

  Frame close() {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    key_ = frame.key;
    return frame;
  }

  bool known(Frame& frame, std::string_view name) {
    constexpr std::size_t kFew = 32;
    if (frame.names.empty()) {
      for (std::size_t i = frame.first; i < pending_.size(); ++i) {
        if (pending_[i].key.as_str() == name) return true;
      }
      if (pending_.size() - frame.first >= kFew) {
        for (std::size_t i = frame.first; i < pending_.size(); ++i) frame.names.insert(pending_[i].key.as_str());
      }
      return false;
    }
    return frame.names.count(name) > 0;
  }

  std::string_view text_;  // for messages
  std::string_view file_;
  Arena& arena_;
  int depth_;
  const char* base_ = nullptr;  // what is parsed
  const char* read_;
  const Constants* constants_ = nullptr;
  std::vector<Frame> frames_;
  std::vector<Entry> pending_;  // the items of all open frames
  Value key_;
  Error error_;
};

void write(std::string& out, const Value& v, bool pretty, int depth) {
  const auto line = [&](int levels) {
    if (!pretty) return;
    out += '\n';
    out.append(static_cast<std::size_t>(levels) * 2, ' ');
  };
  const auto between = [&](std::uint32_t i) {
    if (i > 0) out += pretty ? "," : ", ";
    line(depth + 1);
  };
  switch (v.kind()) {
    case Kind::kNone:
      out += "null";
      return;
    case Kind::kBool:
      out += v.as_bool() ? "true" : "false";
      return;
    case Kind::kInt:
      out += std::to_string(v.as_int());
      return;
    case Kind::kFloat:
      if (std::isnan(v.as_double())) {
        out += "NaN";
      } else if (std::isinf(v.as_double())) {
        out += v.as_double() < 0 ? "-Infinity" : "Infinity";
      } else {
        out += format_float(v.as_double());
      }
      return;
    case Kind::kStr:
      append_json_string(out, v.as_str());
      return;
    case Kind::kList:
    case Kind::kTuple:
      out += '[';
      for (std::uint32_t i = 0; i < v.size(); ++i) {
        between(i);
        write(out, v[i], pretty, depth + 1);
      }
      if (v.size() > 0) line(depth);
      out += ']';
      return;
    case Kind::kDict:
      out += '{';
      for (std::uint32_t i = 0; i < v.size(); ++i) {
        between(i);
        const Value& key = v.entries()[i].key;
        if (key.is_str()) {
          append_json_string(out, key.as_str());
        } else if (key.is_none() || key.is(Kind::kBool)) {
          out += '"';
          write(out, key, false, 0);
          out += '"';
        } else {
          append_json_string(out, to_str(key));
        }
        out += ": ";
        write(out, v.entries()[i].value, pretty, depth + 1);
      }
      if (v.size() > 0) line(depth);
      out += '}';
      return;
    case Kind::kUnknown:
      out += "{\"unknown\": ";
      append_json_string(out, v.as_str());
      out += '}';
      return;
    case Kind::kError:
      out += "{\"error\": ";
      append_json_string(out, std::string(error_name(v.error_kind())) + ": " + std::string(v.as_str()));
      out += '}';
      return;
  }
}

}  // namespace

Result<Value> parse_json(std::string_view text, std::string_view file, Arena& arena, JsonLimits limits) {
  if (text.size() > limits.bytes) {
    return Error{Error::Kind::kInput,
                 "is larger than the limit of " + std::to_string(limits.bytes) + " bytes",
                 {std::string(file)},
                 {},
                 {}};
  }
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
  if (const std::size_t bad = invalid_utf8(text); bad != std::string_view::npos) {
    return error_at(text, file, bad, "not UTF-8", "JSON is UTF-8 text");
  }
  // The parser takes NUL for the end of the text.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    return error_at(text, file, nul, "not valid JSON: a NUL byte");
  }
  try {
    Builder builder(text, file, arena, limits.depth);
    if (text.find("NaN") == std::string_view::npos && text.find("Infinity") == std::string_view::npos) {
      return builder.parse(text, {});
    }
    std::string plain(text);
    const Constants constants = lex_constants_away(plain);
    return builder.parse(plain, constants);
  } catch (const std::exception& e) {
    return Error{Error::Kind::kInternal, std::string("reading JSON: ") + e.what(), {std::string(file)}, {}, {}};
  }
}

Result<Value> load_json(const std::string& path, Arena& arena, JsonLimits limits) {
  const Result<std::string> text = read_file(path, limits.bytes);
  if (!text) return text.error();
  return parse_json(*text, path, arena, limits);
}

std::string to_json(const Value& v, bool pretty) {
  std::string out;
  write(out, v, pretty, 0);
  return out;
}

void append_json_string(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  while (!text.empty()) {
    const std::size_t valid = std::min(invalid_utf8(text), text.size());
    for (const char c : text.substr(0, valid)) {
      const unsigned char byte = static_cast<unsigned char>(c);
      switch (c) {
        case '"':
          out += "\\\"";
          break;
        case '\\':
          out += "\\\\";
          break;
        case '\n':
          out += "\\n";
          break;
        case '\r':
          out += "\\r";
          break;
        case '\t':
          out += "\\t";
          break;
        default:
          if (byte < 0x20) {
            out += "\\u00";
            out += kHex[byte >> 4];
            out += kHex[byte & 15];
          } else {
            out += c;
          }
      }
    }
    text.remove_prefix(valid);
    if (text.empty()) break;
    out += "\xef\xbf\xbd";
    text.remove_prefix(1);
  }
  out += '"';
}

}  // namespace gonogo
