#include "shell/text.h"

#include <algorithm>

namespace gonogo {

namespace {

TextOrigin moved(TextOrigin at, std::size_t by) {
  if (at.source != kNowhere) at.offset += static_cast<std::uint32_t>(by);
  return at;
}

}  // namespace

void Text::push(std::string_view chars, Span span) {
  if (chars.empty()) return;
  span.begin = chars_.size();
  if (span.at.source == kNowhere) span.running = false;
  const auto continues = [&](const Span& last) {
    if (last.carried != span.carried || last.at.source != span.at.source) return false;
    if (last.at.source == kNowhere) return true;
    return last.running && span.running && moved(last.at, span.begin - last.begin).offset == span.at.offset;
  };
  if (spans_.empty() || !continues(spans_.back())) spans_.push_back(span);
  chars_ += chars;
}

void Text::append(std::string_view chars, TextOrigin at) {
  for (std::size_t nul = chars.find(kUnknown); nul != std::string_view::npos; nul = chars.find(kUnknown)) {
    push(chars.substr(0, nul), {0, at, true, false});
    at = moved(at, nul + 1);
    chars.remove_prefix(nul + 1);
  }
  push(chars, {0, at, true, false});
}

void Text::append_fixed(std::string_view chars, TextOrigin at) {
  std::string kept;
  if (chars.find(kUnknown) != std::string_view::npos) {
    std::copy_if(chars.begin(), chars.end(), std::back_inserter(kept), [](char c) { return c != kUnknown; });
    chars = kept;
  }
  push(chars, {0, at, false, false});
}

void Text::append(Unknown unknown, TextOrigin at) {
  unknowns_.emplace_back(chars_.size(), std::move(unknown));
  push(std::string_view(&kUnknown, 1), {0, at, false, false});
}

void Text::append(const Text& text) {
  defaulted = defaulted || text.defaulted;
  const std::size_t base = chars_.size();
  for (const auto& [at, unknown] : text.unknowns_) unknowns_.emplace_back(base + at, unknown);
  for (std::size_t i = 0; i < text.spans_.size(); ++i) {
    const std::size_t end = i + 1 < text.spans_.size() ? text.spans_[i + 1].begin : text.chars_.size();
    const std::size_t begin = text.spans_[i].begin;
    push(std::string_view(text.chars_).substr(begin, end - begin), text.spans_[i]);
  }
}

Text Text::slice(std::size_t begin, std::size_t end) const {
  Text out;
  out.defaulted = defaulted;
  end = std::min(end, chars_.size());
  const auto after = std::upper_bound(spans_.begin(), spans_.end(), begin,
                                      [](std::size_t at, const Span& span) { return at < span.begin; });
  std::size_t i = after == spans_.begin() ? 0 : static_cast<std::size_t>(after - spans_.begin()) - 1;
  for (; i < spans_.size() && begin < end && spans_[i].begin < end; ++i) {
    const std::size_t last = i + 1 < spans_.size() ? spans_[i + 1].begin : chars_.size();
    const std::size_t from = std::max(begin, spans_[i].begin);
    const std::size_t to = std::min(end, last);
    if (from >= to) continue;
    Span span = spans_[i];
    if (span.running) span.at = moved(span.at, from - span.begin);
    out.push(std::string_view(chars_).substr(from, to - from), span);
  }
  auto open = std::lower_bound(unknowns_.begin(), unknowns_.end(), begin,
                               [](const auto& entry, std::size_t position) { return entry.first < position; });
  for (; open != unknowns_.end() && open->first < end; ++open)
    out.unknowns_.emplace_back(open->first - begin, open->second);
  return out;
}

const Unknown& Text::unknown(std::size_t at) const {
  static const Unknown kNone;
  const auto found = std::lower_bound(unknowns_.begin(), unknowns_.end(), at,
                                      [](const auto& entry, std::size_t position) { return entry.first < position; });
  return found != unknowns_.end() && found->first == at ? found->second : kNone;
}

std::string Text::shown() const {
  std::string out;
  out.reserve(chars_.size());
  std::size_t begin = 0;
  for (const auto& [at, unknown] : unknowns_) {
    out.append(chars_, begin, at - begin);
    out += unknown.shown;
    begin = at + 1;
  }
  out.append(chars_, begin, std::string::npos);
  return out;
}

const Text::Span* Text::span_at(std::size_t at) const {
  auto found = std::upper_bound(spans_.begin(), spans_.end(), at,
                                [](std::size_t position, const Span& span) { return position < span.begin; });
  return found == spans_.begin() ? nullptr : &*--found;
}

TextOrigin Text::origin(std::size_t at) const {
  const Span* span = span_at(at);
  if (span == nullptr) return {};
  return span->running ? moved(span->at, at - span->begin) : span->at;
}

bool Text::carried(std::size_t at) const {
  const Span* span = span_at(at);
  return span != nullptr && span->carried;
}

bool Text::running(std::size_t at) const {
  const Span* span = span_at(at);
  return span != nullptr && span->running;
}

bool Text::literal() const { return spans_.size() == 1 && spans_[0].running && unknowns_.empty(); }

void Text::carry() {
  for (Span& span : spans_) span.carried = true;
}

}  // namespace gonogo
