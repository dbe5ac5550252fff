#include "rules/catalogue.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "rules/cold.h"

namespace gonogo {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "gonogoC1";
constexpr std::size_t kHead = kMagic.size() + sizeof(std::uint32_t);
constexpr std::size_t kMaxModel = 1u << 20;  // bytes of one model's text
constexpr std::uint32_t kMaxModels = 10'000;

// Where one model stands, from the blob's start.
struct Row {
  std::uint32_t name = 0;
  std::uint32_t name_size = 0;
  std::uint32_t stream = 0;
  std::uint32_t stream_size = 0;
  std::uint32_t size = 0;  // unpacked
};

// The blob may stand at any address.
Row row_of(std::string_view blob, std::uint32_t index) {
  Row row;
  std::memcpy(&row, blob.data() + kHead + index * sizeof(Row), sizeof(Row));
  return row;
}

bool inside(std::string_view blob, std::uint32_t first, std::uint32_t size) {
  return first <= blob.size() && size <= blob.size() - first;
}

Error damaged(std::string_view what) {
  return {Error::Kind::kInternal, "the built-in catalogue of models is damaged: " + std::string(what), {}, "", ""};
}

// What a model's text says; nothing where a member is missing or of another kind.
std::optional<CatalogueModel> read_model(const Value& root, std::string* name) {
  const auto text = [&](const char* key) -> std::optional<std::string> {
    const Value* v = root.find(key);
    return v != nullptr && v->is_str() ? std::optional<std::string>(v->as_str()) : std::nullopt;
  };
  const Value* files = root.find("files");
  const auto model = text("model");
  const auto source = text("source");
  const auto date = text("date");
  if (!model || !source || !date || files == nullptr || !files->is_dict()) return std::nullopt;
  const Value* config = files->find("config.json");
  if (config == nullptr || !config->is_dict()) return std::nullopt;
  *name = *model;
  return CatalogueModel{*source, *date, *files};
}

void append(std::string* out, const void* bytes, std::size_t size) {
  out->append(static_cast<const char*>(bytes), size);
}

}  // namespace

Result<Catalogue> Catalogue::open(std::string_view blob) {
  if (blob.size() < kHead || blob.substr(0, kMagic.size()) != kMagic) return damaged("it has no head");
  Catalogue out;
  out.blob_ = blob;
  std::memcpy(&out.count_, blob.data() + kMagic.size(), sizeof out.count_);
  if (out.count_ > kMaxModels || out.count_ > (blob.size() - kHead) / sizeof(Row)) return damaged("it is cut off");
  for (std::uint32_t i = 0; i < out.count_; ++i) {
    const Row row = row_of(blob, i);
    if (!inside(blob, row.name, row.name_size) || !inside(blob, row.stream, row.stream_size) || row.size > kMaxModel) {
      return damaged("model " + std::to_string(i) + " lies outside of it");
    }
  }
  return out;
}

std::string_view Catalogue::name(std::uint32_t index) const {
  const Row row = row_of(blob_, index);
  return blob_.substr(row.name, row.name_size);
}

Result<std::optional<CatalogueModel>> Catalogue::find(std::string_view model, Arena& arena) const {
  std::uint32_t low = 0;
  std::uint32_t high = count_;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    (name(middle) < model ? low : high) = name(middle) < model ? middle + 1 : middle;
  }
  if (low == count_ || name(low) != model) return std::optional<CatalogueModel>();
  const Row row = row_of(blob_, low);
  auto* text = arena.array<char>(row.size);
  uLongf size = row.size;
  const int status = uncompress(reinterpret_cast<Bytef*>(text), &size,
                                reinterpret_cast<const Bytef*>(blob_.data() + row.stream), row.stream_size);
  if (status != Z_OK || size != row.size) return damaged(model);
  const auto root = parse_json({text, size}, model, arena);
  std::string name;
  auto out = root ? read_model(*root, &name) : std::nullopt;
  if (!out || name != model) return damaged(model);
  return out;
}

Result<std::string> compile_catalogue(const std::string& folder) {
  std::error_code failed;
  std::vector<std::string> paths;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    if (it->path().extension() == ".json") paths.push_back(it->path().string());
  }
  if (failed) return Error{Error::Kind::kInput, "the folder can't be read: " + failed.message(), {folder}, "", ""};
  std::map<std::string, std::pair<std::string, std::uint32_t>> models;  // name → stream, unpacked size
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    Arena arena;
    JsonLimits limits;
    limits.bytes = kMaxModel;
    const auto root = load_json(path, arena, limits);
    if (!root) return root.error();
    std::string name;
    if (!read_model(*root, &name)) {
      return Error{Error::Kind::kInput,
                   "a model has texts \"model\", \"source\", \"date\" and \"files\" with a config.json",
                   {path},
                   "",
                   ""};
    }
    const std::string text = to_json(*root);
    const auto [at, fresh] =
        models.emplace(name, std::pair{packed(text, Effort::kSmallest), static_cast<std::uint32_t>(text.size())});
    if (!fresh) return Error{Error::Kind::kInput, "'" + name + "' is there twice", {path}, "", ""};
  }
  std::string names;
  std::string streams;
  std::string rows;
  const auto count = static_cast<std::uint32_t>(models.size());
  std::uint32_t names_size = 0;
  for (const auto& [name, stream] : models) names_size += static_cast<std::uint32_t>(name.size());
  const auto start = static_cast<std::uint32_t>(kHead + count * sizeof(Row));
  for (const auto& [name, stream] : models) {
    const Row row{start + static_cast<std::uint32_t>(names.size()), static_cast<std::uint32_t>(name.size()),
                  start + names_size + static_cast<std::uint32_t>(streams.size()),
                  static_cast<std::uint32_t>(stream.first.size()), stream.second};
    append(&rows, &row, sizeof row);
    names += name;
    streams += stream.first;
  }
  std::string out(kMagic);
  append(&out, &count, sizeof count);
  return out + rows + names + streams;
}

}  // namespace gonogo
