// `gonogo launches`: what files would launch, unchecked.
#include <algorithm>
#include <ostream>

#include "carriers/file_list.h"
#include "carriers/secret_mask.h"
#include "cli/commands.h"
#include "launch/launch.h"
#include "report/json_writer.h"

namespace gonogo {

namespace {

// One launch as a JSON object.
void write_launch(const Pack& pack, const std::string& file, const FoundLaunch& launch, JsonWriter& json) {
  json.open('{');
  json.text("entry", launch.entry);
  json.list("argv", shown_args(pack, launch.args));
  json.open("env", '{');
  for (const FoundVariable& variable : launch.env) json.text(variable.name, shown_env(pack, variable));
  json.close('}');
  if (launch.place.file != file) json.text("file", launch.place.file);
  json.number("line", launch.place.line);
  json.list("unknowns", launch.unknowns);
  if (launch.conditional) {
    json.text("conditional", mask_value(pack, *launch.conditional));
  } else {
    json.null("conditional");
  }
  if (launch.by_default) json.boolean("default", true);
  if (!launch.runtime_version.empty())
    json.text(std::string(pack.text(pack.about->name)) + "_version", launch.runtime_version);
  if (launch.facts.gpus) json.number("gpus", *launch.facts.gpus);
  if (!launch.facts.gpu.empty()) json.text("gpu", launch.facts.gpu);
  if (launch.facts.nnodes) json.number("nnodes", *launch.facts.nnodes);
  json.list("roles", launch.roles);
  if (!launch.notes.empty()) json.list("notes", launch.notes);
  json.close('}');
}

void write_members(const Pack& pack, const std::string& file, const FileLaunches& found, JsonWriter& json) {
  json.text("form", found.form);
  json.open("launches", '[');
  for (const FoundLaunch& launch : found.launches) write_launch(pack, file, launch, json);
  json.close(']');
  json.open("not_launches", '[');
  for (const NotLaunch& other : found.not_launches) {
    json.open('{');
    json.number("line", other.place.line);
    json.text("kind", other.kind);
    json.text("what", other.what);
    json.close('}');
  }
  json.close(']');
  if (!found.notes.empty()) json.list("notes", found.notes);
  if (found.templated) json.boolean("templated", true);
  if (found.crlf) json.boolean("crlf", true);
}

void write_text(const Pack& pack, const FileLaunches& found, std::ostream& out) {
  for (const FoundLaunch& launch : found.launches) {
    std::string line = launch.place.file + ":" + std::to_string(launch.place.line) + "  ";
    for (const FoundVariable& v : launch.env) line += v.name + "=" + shell_quoted(shown_env(pack, v)) + " ";
    line += launch.entry;
    for (const std::string& word : shown_args(pack, launch.args)) line += " " + shell_quoted(word);
    out << line << '\n';
    std::string facts;
    const auto add = [&](const std::string& text) { facts += (facts.empty() ? "" : ", ") + text; };
    if (!launch.runtime_version.empty()) add("version " + launch.runtime_version);
    if (launch.facts.gpus) add(std::to_string(*launch.facts.gpus) + " GPUs");
    if (!launch.facts.gpu.empty()) add(launch.facts.gpu);
    if (launch.facts.nnodes)
      add(std::to_string(*launch.facts.nnodes) + (*launch.facts.nnodes == 1 ? " node" : " nodes"));
    for (const std::string& role : launch.roles) add(role);
    if (!facts.empty()) out << "    " << facts << '\n';
    if (launch.conditional) out << "    only if " << mask_value(pack, *launch.conditional) << '\n';
    if (!launch.unknowns.empty()) {
      std::string names;
      for (const std::string& name : launch.unknowns) names += (names.empty() ? "" : ", ") + name;
      out << "    not known: " << names << '\n';
    }
    for (const std::string& note : launch.notes) out << "    note: " << note << '\n';
  }
  for (const std::string& note : found.notes) out << "note: " << note << '\n';
}

}  // namespace

ExitStatus launches_command(const FilesOptions& options, Streams io) {
  const Pack& pack = Pack::embedded();
  auto known = read_known(options.known);
  if (!known) return report_error(known.error(), io);
  auto files = list_files(pack, options.files, io.in);
  if (!files) return report_error(files.error(), io);
  const bool single = options.files.size() == 1 && files->size() == 1 && (*files)[0].named;
  ExitStatus status = ExitStatus::kGo;
  JsonWriter json;
  std::size_t without = 0;
  if (options.format == "json" && !single) {
    json.open('{');
    json.open("files", '[');
  }
  for (const ListedFile& file : *files) {
    auto found = launches_of(pack, file, {*known});
    if (!found) {
      status = report_error(found.error(), io);
      continue;
    }
    if (found->launches.empty()) ++without;
    if (options.format != "json") {
      write_text(pack, *found, io.out);
    } else if (single || !found->launches.empty()) {
      json.open('{');
      if (!single) json.text("file", file.name);
      write_members(pack, file.name, *found, json);
      json.close('}');
    }
  }
  if (options.format == "json" && !single) {
    json.close(']');
    json.number("files_without_launch", static_cast<std::int64_t>(without));
    json.close('}');
  }
  if (options.format == "json") {
    const std::string text = json.take();
    if (!text.empty()) io.out << text << '\n';
  } else if (without > 0) {
    io.out << without << (without == 1 ? " file holds no launch\n" : " files hold no launch\n");
  }
  return status;
}

}  // namespace gonogo
