// `gonogo rules docs`: the rules as Markdown pages.
#include <filesystem>
#include <map>
#include <ostream>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/write_file.h"
#include "report/rule_page.h"
#include "report/rule_text.h"
#include "rules/compiler.h"

namespace gonogo {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxExamples = 64u << 20;
constexpr std::size_t kMaxPage = 1u << 20;
// The first line of each page: what may be overwritten or taken away without asking.
constexpr std::string_view kMark = "<!-- Written by `gonogo rules docs`: change the rule, not this page. -->\n";

using Pages = std::map<std::string, std::string>;  // name below the folder → text

Pages pages_of(const Pack& pack, const RuleExamples& examples) {
  std::vector<std::uint32_t> rules;
  for (std::uint32_t i = 0; i < pack.rules.size(); ++i) {
    if (acts_itself(pack.rules[i])) rules.push_back(i);
  }
  Pages out;
  for (const std::uint32_t rule : rules) {
    out[rule_page_name(pack.text(pack.rules[rule].id))] += rule_page(pack, rule, examples);
  }
  out["README.md"] = rule_index(pack, rules);
  for (auto& [name, text] : out) text.insert(0, kMark);
  return out;
}

// The Markdown files below a folder, by their names within it, with their texts.
Result<Pages> pages_in(const std::string& dir) {
  Pages out;
  std::error_code failed;
  if (!fs::exists(dir, failed)) return out;
  for (fs::recursive_directory_iterator at(dir, failed), end; !failed && at != end; at.increment(failed)) {
    if (!at->is_regular_file(failed) || at->path().extension() != ".md") continue;
    auto text = read_file(at->path().string(), kMaxPage);
    if (!text) return text.error();
    out.emplace(at->path().lexically_relative(dir).generic_string(), std::move(*text));
  }
  if (failed) return Error{Error::Kind::kInput, "the folder can't be read: " + failed.message(), {dir, 0, 0}, "", ""};
  return out;
}

}  // namespace

ExitStatus rules_docs_command(const RuleDocsOptions& options, Streams io) {
  std::vector<Error> errors;
  std::string blob;
  auto pack = load_pack(options.rules, &blob, &errors);
  if (!pack) return report_failure(pack.error(), errors, io);
  RuleExamples examples;
  for (const std::string& file : options.examples) {
    const auto text = read_file(file, kMaxExamples);
    if (!text) return report_error(text.error(), io);
    if (const auto error = examples.add(*text, file)) return report_error(*error, io);
  }
  const Pages wanted = pages_of(*pack, examples);
  const auto present = pages_in(options.dir);
  if (!present) return report_error(present.error(), io);

  std::vector<std::pair<std::string, const std::string*>> changes;  // null: the page goes
  for (const auto& [name, text] : wanted) {
    const auto at = present->find(name);
    if (at != present->end() && at->second == text) continue;
    if (at != present->end() && !at->second.starts_with(kMark)) {
      return report_error({Error::Kind::kInput,
                           "this page was not written by gonogo",
                           {options.dir + "/" + name, 0, 0},
                           "name another folder",
                           ""},
                          io);
    }
    changes.emplace_back(name, &text);
  }
  for (const auto& [name, text] : *present) {
    if (text.starts_with(kMark) && !wanted.contains(name)) changes.emplace_back(name, nullptr);
  }
  for (const auto& [name, text] : changes) {
    const fs::path path = fs::path(options.dir) / name;
    if (options.check) {
      io.out << path.string() << (text == nullptr ? ": its rule is gone" : ": out of date") << '\n';
    } else if (text != nullptr) {
      std::error_code ignored;  // what is wrong shows when the file is written
      fs::create_directories(path.parent_path(), ignored);
      if (const auto failed = write_file(path.string(), *text)) return report_error(*failed, io);
    } else if (std::error_code failed; !fs::remove(path, failed)) {
      return report_error({Error::Kind::kInput, "the page can't be removed", {path.string(), 0, 0}, "", ""}, io);
    }
  }
  io.out << options.dir << ": " << wanted.size() << " pages, " << changes.size()
         << (options.check ? " of them not as they should be\n" : " changed\n");
  return options.check && !changes.empty() ? ExitStatus::kNoGo : ExitStatus::kGo;
}

}  // namespace gonogo
