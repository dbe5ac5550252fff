#include "engine/watch.h"

#include <algorithm>

namespace gonogo {

const char Watch::kOpen[15] = "what is varied";

Watch::Watch(const Pack& pack)
    : facts_(static_cast<std::uint32_t>(pack.facts.size())),
      slots_(static_cast<std::uint32_t>(pack.slots.size())),
      fields_(static_cast<std::uint32_t>(pack.fields.size())),
      states_(static_cast<std::uint32_t>(pack.state.size())),
      known_(2 * facts_ + slots_ + 4),
      readers_(fields_ + states_ + 1) {}

void Watch::saw(const EnvRec& variable) {
  reads_.push_back(env());
  for (const StrId name : open_env_) {
    met_open_ = met_open_ || name == variable.name || name == variable.former_name;
  }
}

void Watch::reread(Name name, const Value& v) {
  saw(v);
  touched_.push_back(name);
  const Known& known = known_[name];
  if (!known.settled) reads_.insert(reads_.end(), known.reads.begin(), known.reads.end());
}

Watch::Mark Watch::begin() {
  const Mark mark{met_open_, reads_.size()};
  met_open_ = false;
  return mark;
}

Value Watch::end(Name name, Mark mark, const Value& v) {
  Known& known = known_[name];
  known.reads.assign(reads_.begin() + static_cast<std::ptrdiff_t>(mark.reads), reads_.end());
  std::sort(known.reads.begin(), known.reads.end());
  known.reads.erase(std::unique(known.reads.begin(), known.reads.end()), known.reads.end());
  for (const Input input : known.reads) readers_[input].push_back(name);
  touched_.push_back(name);
  const bool was_open = met_open_;
  met_open_ = mark.met_open || was_open;
  model_open_ = model_open_ || (was_open && is_model(name));
  return was_open ? open() : v;
}

void Watch::restart() {
  met_open_ = false;
  reads_.clear();
  touched_.clear();
}

std::vector<Watch::Name> Watch::changed(Input input) const {
  std::vector<Name> out;
  for (const Name name : readers_[input]) {
    const Known& known = known_[name];
    if (!known.settled && std::binary_search(known.reads.begin(), known.reads.end(), input)) out.push_back(name);
  }
  return out;
}

}  // namespace gonogo
