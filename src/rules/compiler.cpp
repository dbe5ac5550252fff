#include "rules/compiler.h"

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "base/yaml.h"
#include "rules/compile_context.h"

namespace gonogo {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxFile = 4u << 20;
constexpr std::size_t kMaxFiles = 2000;

const std::vector<std::string_view> kDocumentKeys = {
    "pack",  "flags",     "earlier_flags", "retired_flags", "fields", "volatile", "readers_known", "env",     "gpus",
    "facts", "functions", "tables",        "classes",       "state",  "overlay",  "disable",       "upstream"};
// A document with a stage is that stage's group; it may bring definitions of its own.
const std::vector<std::string_view> kStageKeys = {
    "stage", "functions", "tables",  "facts",   "state", "id",     "when",  "versions", "let", "check", "pass",
    "phase", "log",       "because", "see",     "reads", "each",   "rules", "first",    "set", "env",   "fail",
    "warn",  "inert",     "advise",  "unknown", "run",   "return", "fix",   "flag",     "note",
    "peers"};

}  // namespace

Result<std::vector<PackSource>> read_pack_sources(const std::string& dir) {
  std::error_code failed;
  std::vector<std::string> paths;
  for (fs::recursive_directory_iterator it(dir, failed), end; !failed && it != end; it.increment(failed)) {
    if (it->is_directory() && it->path().filename() == "overlays") it.disable_recursion_pending();
    if (it->path().extension() == ".yaml" && it->is_regular_file()) paths.push_back(it->path().string());
    if (paths.size() > kMaxFiles) {
      return Error{Error::Kind::kInput, "the folder holds more than 2000 rule files", {dir, 0, 0}, "", ""};
    }
  }
  if (failed || paths.empty()) {
    return Error{Error::Kind::kInput,
                 failed ? "this folder can't be read: " + failed.message() : "this folder holds no *.yaml file",
                 {dir, 0, 0},
                 "name a folder of rule files",
                 ""};
  }
  std::sort(paths.begin(), paths.end());
  std::vector<PackSource> out;
  for (const std::string& path : paths) {
    auto text = read_file(path, kMaxFile);
    if (!text) return text.error();
    out.push_back({fs::path(path).lexically_relative(dir).generic_string(), std::move(*text)});
  }
  return out;
}

CompiledPack compile_pack(const std::vector<PackSource>& sources, const Pack* base) {
  CompileContext context;
  if (base != nullptr) {
    context.data = PackData(*base);
    context.overlay = true;
    context.base_stages = context.data.stages.size();
    load_symbols(context);
  }
  std::vector<Document> documents;
  for (const PackSource& source : sources) {
    auto roots = parse_yaml(source.text, source.name);
    if (!roots) {
      Error e = roots.error();
      context.errors.push_back(std::move(e));
      continue;
    }
    context.source = &source;
    for (YamlNode& root : *roots) {
      if (root.type == YamlNode::Type::kNull) continue;
      if (context.only_keys(root, root.find("stage") != nullptr ? kStageKeys : kDocumentKeys))
        documents.push_back({&source, std::move(root)});
    }
  }
  if (!context.errors.empty()) return {{}, std::move(context.errors)};
  compile_about(context, documents);
  if (context.data.about.versions.count == 0) {
    context.errors.push_back(
        {Error::Kind::kInput, "the pack names no versions", {}, "pack: {versions: [\"1.0\"]}", ""});
    return {{}, std::move(context.errors)};
  }
  compile_flags(context, documents);
  type_fields(context);
  declare_names(context, documents);
  compile_model(context, documents);
  compile_rules(context, documents);
  compile_upstream(context, documents);
  compile_parts(context, documents);
  if (context.data.too_large()) {
    context.errors.push_back({Error::Kind::kInput, "the pack is too large", {}, "", ""});
  }
  CompiledPack out;
  out.errors = std::move(context.errors);
  if (out.errors.empty()) out.blob = context.data.serialize(base == nullptr ? Effort::kSmallest : Effort::kFastest);
  return out;
}

}  // namespace gonogo
