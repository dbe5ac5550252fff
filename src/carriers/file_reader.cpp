#include "carriers/file_reader.h"

#include <algorithm>

#include "carriers/compose.h"
#include "carriers/dockerfile.h"
#include "carriers/file_form.h"
#include "carriers/flag_file.h"
#include "carriers/justfile.h"
#include "carriers/keyword_arguments.h"
#include "carriers/kubernetes.h"
#include "carriers/markdown_fences.h"
#include "carriers/notebook.h"
#include "carriers/process_list.h"
#include "carriers/python_launches.h"
#include "carriers/recipe.h"
#include "carriers/skypilot.h"
#include "carriers/step_lists.h"
#include "carriers/systemd_unit.h"
#include "carriers/template_mask.h"
#include "carriers/yaml_tree.h"

namespace gonogo {

namespace {

// The pack's classes that are built in code: entry points that end in "()".
std::vector<std::string> engines_of(const Pack& pack) {
  std::vector<std::string> out;
  for (const StrId id : pack.slice(pack.about->entry_points)) {
    std::string_view text = pack.text(id);
    if (text.size() > 2 && text.substr(text.size() - 2) == "()") out.emplace_back(text.substr(0, text.size() - 2));
  }
  return out;
}

void add_scripts(std::vector<RecipeScript> scripts, Carried& out) {
  for (RecipeScript& script : scripts) {
    CarriedCommand command;
    command.kind = CarriedCommand::Kind::kScript;
    command.script = std::move(script.text);
    command.offset = command.script.offset(0);
    command.env = std::move(script.env);
    command.label = std::move(script.target);
    out.commands.push_back(std::move(command));
  }
}

void read_fences(std::vector<MappedText> fences, Carried& out) {
  for (MappedText& fence : fences) {
    CarriedCommand command;
    command.kind = CarriedCommand::Kind::kScript;
    command.script = std::move(fence);
    command.offset = command.script.offset(0);
    command.unit = "fence " + std::to_string(out.commands.size() + 1);
    command.placeholders = true;
    out.commands.push_back(std::move(command));
  }
}

MappedText at(std::string_view text, std::size_t offset) {
  MappedText out;
  out.append_at(text, offset);
  return out;
}

void read_docker(std::string_view text, Carried& out) {
  std::optional<DockerStage> stage = read_dockerfile(text, out.marks);
  if (!stage || (!stage->entrypoint && !stage->command)) return;
  CarriedCommand command;
  const auto add = [&](const DockerCommand& from) {
    if (from.exec) {
      command.words.insert(command.words.end(), from.words.begin(), from.words.end());
      return;
    }
    for (const std::string& word : stage->shell) command.words.push_back(at(word, from.offset));
    command.words.push_back(from.shell);
  };
  if (stage->entrypoint) add(*stage->entrypoint);
  // The shell form of an entry point takes no arguments.
  if (stage->command && (!stage->entrypoint || stage->entrypoint->exec)) add(*stage->command);
  command.offset = stage->entrypoint ? stage->entrypoint->offset : stage->command->offset;
  command.env = std::move(stage->env);
  command.facts.image = out.marks.restore(stage->image);
  if (!stage->files.empty()) command.files = std::make_shared<const CarriedFiles>(std::move(stage->files));
  out.commands.push_back(std::move(command));
}

void read_unit(std::string_view text, Carried& out) {
  ServiceUnit unit = read_service(text, out.marks);
  for (ServiceCommand& start : unit.commands) {
    CarriedCommand command;
    command.words = std::move(start.words);
    command.offset = start.offset;
    command.env = unit.env;
    out.commands.push_back(std::move(command));
  }
}

void read_shell(std::string_view text, Carried& out) {
  out.form = text.find("\n#SBATCH") != std::string_view::npos ? "slurm" : "bash";
  CarriedCommand command;
  command.kind = CarriedCommand::Kind::kScript;
  command.script = MappedText::of(text, 0);
  out.commands.push_back(std::move(command));
}

// YAML by what it says. A template is masked first; where it can't be read even so, it carries nothing.
Result<Carried> read_yaml(const Pack& pack, std::string_view name, std::string_view text, const ReadBeside& beside) {
  Carried out;
  TemplateMask mask;
  std::string_view readable = text;
  if (text.find("{{") != std::string_view::npos) {
    mask = mask_template(text);
    if (!mask.actions.empty()) readable = mask.text;
  }
  auto tree = YamlTree::parse(readable, name, text);
  if (!tree) {
    if (mask.actions.empty()) return tree.error();
    out.form = "helm";
    out.templated = true;
    return out;
  }
  bool templated = !mask.actions.empty() && is_template(*tree, mask);
  if (is_kubernetes(*tree)) {
    out.form = "kubernetes";
    read_kubernetes(*tree, out);
  } else if (is_compose(*tree)) {
    out.form = "compose";
    read_compose(*tree, beside, out);
  } else if (is_ray_serve(*tree)) {
    out.form = "ray-serve";
    const std::vector<std::string> engines = engines_of(pack);
    if (!engines.empty()) read_ray_serve(*tree, engines[0], out);
  } else if (is_skypilot(*tree)) {
    out.form = "skypilot";
    read_skypilot(*tree, out);
  } else if (read_recipe(pack, *tree, out) || read_flag_file(pack, *tree, out)) {
    // They say their form themselves.
  } else if (read_steps(*tree, out)) {
    templated = false;  // their own braces are placeholders
  } else {
    out.form = "yaml";
  }
  if (templated) {
    out.form = "helm";
    out.templated = true;
  }
  // What kubectl and compose refuse; others take the last value.
  const YamlItem* twice = tree->duplicate();
  if (twice != nullptr && !out.commands.empty() && (out.form == "kubernetes" || out.form == "compose")) {
    return Error{Error::Kind::kInput, "the key '" + twice->text + "' stands twice in one mapping",
                 LineIndex(text).place(name, twice->offset), "remove one", ""};
  }
  return out;
}

}  // namespace

Result<Carried> read_carrier(const Pack& pack, std::string_view name, std::string_view text, const ReadBeside& beside) {
  Carried out;
  switch (const FileForm form = form_of(name, text)) {
    case FileForm::kYaml:
      return read_yaml(pack, name, text, beside);
    case FileForm::kMarkdown:
    case FileForm::kMdx:
      out.form = "markdown";
      read_fences(shell_fences(text, form == FileForm::kMdx), out);
      break;
    case FileForm::kRst:
      out.form = "rst";
      read_fences(rst_blocks(text), out);
      break;
    case FileForm::kNotebook: {
      out.form = "notebook";
      const auto tree = YamlTree::parse(text, name);
      if (!tree) return tree.error();
      read_notebook(*tree, engines_of(pack), out);
      break;
    }
    case FileForm::kProcfile:
      out.form = "procfile";
      read_procfile(text, out);
      break;
    case FileForm::kSupervisor:
      out.form = "supervisor";
      read_supervisor(text, out);
      break;
    case FileForm::kOther:
      out.form = "other";
      break;
    case FileForm::kDockerfile:
      out.form = "dockerfile";
      read_docker(text, out);
      break;
    case FileForm::kSystemd:
      out.form = "systemd";
      read_unit(text, out);
      break;
    case FileForm::kMakefile:
      out.form = "makefile";
      add_scripts(read_makefile(text, beside, out.marks), out);
      break;
    case FileForm::kJustfile:
      out.form = "justfile";
      add_scripts(read_justfile(text, out.marks), out);
      break;
    case FileForm::kPython:
      out.form = "ray-serve";
      read_python(text, engines_of(pack), out);
      break;
    case FileForm::kShell:
      read_shell(text, out);
      break;
  }
  return out;
}

}  // namespace gonogo
