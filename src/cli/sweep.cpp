#include "cli/sweep.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

#include "cli/axis_values.h"
#include "cli/local_world.h"
#include "engine/family.h"
#include "rules/code.h"
#include "rules/walk.h"

namespace gonogo {

namespace {

constexpr std::size_t kUnitCells = 8192;   // of a group that a worker takes at once
constexpr std::size_t kFamilyCells = 256;  // the least for which it pays to prepare a family
constexpr auto kTick = std::chrono::milliseconds(200);

// Why a cell is not GO, as a worker knows it.
struct Decided {
  Verdict verdict = Verdict::kGo;
  std::uint32_t rule = kNoIndex;  // that refuses; kNoIndex: see the text
  std::string text;               // the parser's message, or what an UNKNOWN needs

  auto key() const { return std::tie(verdict, rule, text); }
  bool operator<(const Decided& other) const { return key() < other.key(); }
};

Decided decided_by(const Outcome& outcome) {
  Decided out;
  out.verdict = outcome.verdict;
  if (outcome.verdict == Verdict::kUnknown) {
    out.text = !outcome.missing.empty() ? outcome.missing.front() : outcome.faults.front();
  }
  if (outcome.verdict != Verdict::kNoGo) return out;
  const auto refusal = std::find_if(outcome.findings.begin(), outcome.findings.end(),
                                    [](const Finding& f) { return f.kind == Action::kFail && f.certain; });
  out.rule = refusal->rule;
  if (out.rule == kNoIndex) out.text = refusal->message;
  return out;
}

// Indices of values, one an axis, from a number that counts through them; the last varies fastest.
std::vector<std::size_t> digits(std::size_t number, const std::vector<const Axis*>& axes) {
  std::vector<std::size_t> out(axes.size());
  for (std::size_t i = axes.size(); i-- > 0;) {
    out[i] = number % axes[i]->values.size();
    number /= axes[i]->values.size();
  }
  return out;
}

void apply(const Pack& pack, const Axis& axis, const AxisValue& value, SessionOptions* to) {
  switch (axis.kind) {
    case Axis::Kind::kGpu:
      to->gpus = {value.text};
      break;
    case Axis::Kind::kVersion:
      to->version = value.text;
      break;
    case Axis::Kind::kFlag:
    case Axis::Kind::kEnv: {
      const std::string wanted = to->version.value_or("");
      const std::uint32_t index = pack.version_index(wanted);
      const std::uint32_t version = index != kNoIndex ? index : pack.version_count() - 1;
      to->launch = with_value(pack, version, std::move(*to->launch), axis, value);
      break;
    }
  }
}

// Versions first: a flag's words depend on it.
void apply_all(const Pack& pack, const std::vector<const Axis*>& axes, const std::vector<std::size_t>& at,
               SessionOptions* to) {
  for (const bool versions : {true, false}) {
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if ((axes[i]->kind == Axis::Kind::kVersion) == versions) apply(pack, *axes[i], axes[i]->values[at[i]], to);
    }
  }
}

bool reads_field(const Pack& pack, CodeRef code, std::uint32_t field) {
  bool found = false;
  if (code == 0) return false;
  walk_names(pack, code, [&](CodeRef name) {
    const std::uint32_t w = pack.code[name];
    found = found || (op_of(w) == Op::kField && operand_of(w) == field);
  });
  return found;
}

// The launches of one group: the same world, other fields.
class Group {
 public:
  static Result<std::unique_ptr<Group>> open(const SweepOptions& sweep, const Pack& pack,
                                             std::vector<const Axis*> inner, SessionOptions options) {
    const std::size_t sources = options.launch->sources.size();
    auto session = check_launch(pack, options);
    if (!session) return session.error();
    auto out = std::make_unique<Group>();
    out->pack_ = &pack;
    out->inner_ = std::move(inner);
    out->options_ = std::move(options);
    out->session_ = std::move(*session);
    // What the parser refuses as it stands may be mended by an axis, and a file of further arguments has a say in each.
    // A command that may start something else refuses nothing for certain.
    const Session& s = *out->session_;
    out->alone_ = sweep.each_alone || !s.given || !s.sure_start || s.launch.sources.size() != sources;
    if (!out->alone_) out->prepare();
    return out;
  }

  Result<Decided> decide(std::size_t cell) {
    const std::vector<std::size_t> at = digits(cell, inner_);
    if (alone_) return check_alone(at);
    const ParsedValue* refused = nullptr;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const ParsedValue& value = values_[i][at[i]];
      if (value.refusal && (refused == nullptr || value.refusal->kind < refused->refusal->kind)) refused = &value;
    }
    if (refused != nullptr) return Decided{Verdict::kNoGo, kNoIndex, refused->refusal->message};
    if (family_ == nullptr || cell / family_cells_ != combination_) found_family(cell / family_cells_, at);
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const ParsedValue& value = values_[fixed_ + i][at[fixed_ + i]];
      members_[i] = {value.value, value.typed};
    }
    Family::Answer answer = family_->decide(members_);
    if (models_->failure()) return *models_->failure();
    return Decided{answer.verdict, answer.rule, std::move(answer.needs)};
  }

 private:
  Result<Decided> check_alone(const std::vector<std::size_t>& at) const {
    SessionOptions options = options_;
    apply_all(*pack_, inner_, at, &options);
    auto session = check_launch(*pack_, options);
    if (!session) return session.error();
    return decided_by((*session)->outcome);
  }

  void prepare() {
    const Session& s = *session_;
    for (const Axis* axis : inner_) {
      values_.push_back(parse_values(*pack_, s.version.index, s.launch, *axis, session_->arena));
    }
    models_ = dynamic_cast<const LocalModels*>(session_->models.get());
    // The fewer fields are open, the less is left to do for each launch.
    for (const Axis* axis : inner_) family_cells_ *= axis->values.size();
    while (fixed_ + 1 < inner_.size() && family_cells_ / inner_[fixed_]->values.size() >= kFamilyCells) {
      family_cells_ /= inner_[fixed_++]->values.size();
    }
    for (std::size_t i = fixed_; i < inner_.size(); ++i) open_.push_back(inner_[i]->field);
    members_.resize(open_.size());
  }

  // The launches that agree in the first axes.
  void found_family(std::size_t combination, const std::vector<std::size_t>& at) {
    combination_ = combination;
    family_.reset();
    arena_.reset();
    given_ = copy_of(*session_->given, arena_);
    for (std::size_t i = 0; i < fixed_; ++i) {
      given_.values[inner_[i]->field] = values_[i][at[i]].value;
      given_.origins[inner_[i]->field].typed = values_[i][at[i]].typed;
    }
    family_ = std::make_unique<Family>(*session_->runtime, session_->world, given_, open_);
  }

  const Pack* pack_ = nullptr;
  std::vector<const Axis*> inner_;
  SessionOptions options_;
  std::unique_ptr<Session> session_;
  bool alone_ = false;
  std::vector<std::vector<ParsedValue>> values_;
  std::vector<Family::Member> members_;
  const LocalModels* models_ = nullptr;
  std::size_t fixed_ = 0;         // so many of the first axes are the same in a family
  std::size_t family_cells_ = 1;  // launches of a family
  std::size_t combination_ = 0;   // of the fixed axes, which the family is for
  std::vector<std::uint32_t> open_;
  Arena arena_;
  Given given_;
  std::unique_ptr<Family> family_;
};

class Sweeper {
 public:
  Sweeper(const SweepOptions& options, const Pack& pack) : options_(options), pack_(pack) {
    for (const Axis& axis : options.axes) {
      const bool inner = axis.kind == Axis::Kind::kFlag && !reads_field(pack, pack.about->model_path, axis.field) &&
                         !reads_field(pack, pack.about->draft_path, axis.field);
      (inner ? inner_ : outer_).push_back(&axis);
      (inner ? inner_cells_ : groups_) *= axis.values.size();
    }
    // Long axes vary fastest, whatever their order in the answer: see kFamilyCells.
    std::stable_sort(inner_.begin(), inner_.end(),
                     [](const Axis* a, const Axis* b) { return a->values.size() < b->values.size(); });
    const std::size_t parts = (inner_cells_ + kUnitCells - 1) / kUnitCells;
    for (std::size_t g = 0; g < groups_; ++g) {
      for (std::size_t p = 0; p < parts; ++p) {
        units_.push_back({g, p * kUnitCells, std::min((p + 1) * kUnitCells, inner_cells_), {}, {}, {}});
      }
    }
  }

  Result<Swept> run(const std::function<void(std::size_t)>& progress) {
    std::vector<std::jthread> workers;
    const std::size_t count = std::clamp<std::size_t>(options_.workers, 1, units_.size());
    running_ = count;
    for (std::size_t i = 1; i < count; ++i) workers.emplace_back([this] { work(); });
    if (progress) {
      workers.emplace_back([this] { work(); });
      std::unique_lock lock(mutex_);
      while (!finished_.wait_for(lock, kTick, [this] { return running_ == 0; })) progress(done_);
      progress(done_);
    } else {
      work();
    }
    for (std::jthread& worker : workers) worker.join();
    for (const Unit& unit : units_) {
      if (unit.failed) return *unit.failed;
    }
    return merged();
  }

 private:
  struct Unit {
    std::size_t group = 0;
    std::size_t first = 0;  // among the group's cells
    std::size_t last = 0;
    std::vector<MatrixCell> cells{};  // their reasons are numbers in `reasons`
    std::vector<Decided> reasons{};
    std::optional<Error> failed{};
  };

  void work() {
    for (std::size_t i = next_++; i < units_.size() && !stop_; i = next_++) {
      if (auto failed = run_unit(&units_[i])) {
        units_[i].failed = std::move(failed);
        stop_ = true;
      }
    }
    const std::lock_guard lock(mutex_);
    if (--running_ == 0) finished_.notify_all();
  }

  std::optional<Error> run_unit(Unit* unit) {
    SessionOptions options = options_.session;
    apply_all(pack_, outer_, digits(unit->group, outer_), &options);
    auto group = Group::open(options_, pack_, inner_, std::move(options));
    if (!group) return group.error();
    std::map<Decided, std::uint32_t> known;
    for (std::size_t cell = unit->first; cell < unit->last && !stop_; ++cell) {
      auto decided = (*group)->decide(cell);
      if (!decided) return decided.error();
      MatrixCell& out = unit->cells.emplace_back();
      out.verdict = decided->verdict;
      if (out.verdict != Verdict::kGo) {
        const auto [at, is_new] = known.emplace(*decided, static_cast<std::uint32_t>(unit->reasons.size()));
        if (is_new) unit->reasons.push_back(std::move(*decided));
        out.reason = at->second;
      }
      ++done_;
    }
    return std::nullopt;
  }

  // The place of a cell of a group among all.
  std::size_t place(std::size_t group, std::size_t cell) const {
    std::vector<std::size_t> at(options_.axes.size());
    const auto put = [&](const std::vector<const Axis*>& axes, const std::vector<std::size_t>& values) {
      for (std::size_t i = 0; i < axes.size(); ++i)
        at[static_cast<std::size_t>(axes[i] - &options_.axes[0])] = values[i];
    };
    put(outer_, digits(group, outer_));
    put(inner_, digits(cell, inner_));
    std::size_t out = 0;
    for (std::size_t a = 0; a < at.size(); ++a) out = out * options_.axes[a].values.size() + at[a];
    return out;
  }

  Result<Swept> merged() {
    Swept out;
    out.cells.resize(groups_ * inner_cells_);
    std::vector<const Decided*> reasons(out.cells.size(), nullptr);
    for (const Unit& unit : units_) {
      for (std::size_t i = 0; i < unit.cells.size(); ++i) {
        const std::size_t to = place(unit.group, unit.first + i);
        out.cells[to] = unit.cells[i];
        if (unit.cells[i].reason != kNoIndex) reasons[to] = &unit.reasons[unit.cells[i].reason];
      }
    }
    std::map<Decided, std::uint32_t> known;
    for (std::size_t cell = 0; cell < out.cells.size(); ++cell) {
      if (reasons[cell] == nullptr) continue;
      const auto [at, is_new] = known.emplace(*reasons[cell], static_cast<std::uint32_t>(out.reasons.size()));
      out.cells[cell].reason = at->second;
      if (!is_new) continue;
      auto told = told_reason(*reasons[cell], cell);
      if (!told) return told.error();
      out.reasons.push_back(std::move(*told));
    }
    return out;
  }

  // A reason in words: a rule's message is made for the first launch that it refuses.
  Result<MatrixReason> told_reason(const Decided& decided, std::size_t cell) const {
    MatrixReason out;
    out.verdict = decided.verdict;
    out.text = decided.text;
    if (decided.verdict != Verdict::kNoGo) return out;
    out.rule = "argparse";
    if (decided.rule == kNoIndex) return out;
    auto session = check_launch(pack_, options_of(options_, pack_, cell));
    if (!session) return session.error();
    const Session& s = **session;
    out.rule = s.pack.text(s.pack.rules[decided.rule].id);
    out.text = s.pack.text(s.pack.note(decided.rule).because);
    for (const Finding& f : s.outcome.findings) {
      if (f.rule != decided.rule || f.kind != Action::kFail || !f.certain) continue;
      out.text = f.message;
      break;
    }
    return out;
  }

  const SweepOptions& options_;
  const Pack& pack_;
  std::vector<const Axis*> outer_;
  std::vector<const Axis*> inner_;
  std::size_t groups_ = 1;
  std::size_t inner_cells_ = 1;
  std::vector<Unit> units_;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> done_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable finished_;
  std::size_t running_ = 0;  // workers; under the mutex
};

}  // namespace

SessionOptions options_of(const SweepOptions& sweep, const Pack& pack, std::size_t cell) {
  std::vector<const Axis*> axes;
  for (const Axis& axis : sweep.axes) axes.push_back(&axis);
  SessionOptions out = sweep.session;
  apply_all(pack, axes, digits(cell, axes), &out);
  return out;
}

Result<Swept> sweep(const SweepOptions& options, const Pack& pack, const std::function<void(std::size_t)>& progress) {
  return Sweeper(options, pack).run(progress);
}

}  // namespace gonogo
