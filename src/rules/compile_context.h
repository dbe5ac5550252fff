// What the parts of the pack compiler share: the data being built, the names known so far, and errors.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/yaml.h"
#include "rules/compiler.h"
#include "rules/emitter.h"
#include "rules/pack_data.h"
#include "rules/symbols.h"

namespace gonogo {

// A parsed document and the source it stands in.
struct Document {
  const PackSource* source = nullptr;
  YamlNode root;
};

class CompileContext {
 public:
  PackData data;
  Symbols symbols;
  std::vector<Error> errors;
  const PackSource* source = nullptr;  // of the document being compiled
  bool overlay = false;                // whether there is a base pack
  std::size_t base_stages = 0;         // how many stages it brought

  // Records an error at a node; `offset` is a byte of its scalar.
  void error(const YamlNode& at, std::string what, std::string hint = {}, std::size_t offset = 0);

  // Reports keys of a mapping that are not among `known`; false where `node` is no mapping.
  bool only_keys(const YamlNode& node, const std::vector<std::string_view>& known);

  // Code of a value: an expression where a scalar starts with "=", else the data itself. 0 after an error.
  CodeRef value(const YamlNode& node, const Scope& scope, Uses* uses = nullptr, Types* types = nullptr);
  // Code of data only: a "=" at the start means nothing.
  CodeRef literal(const YamlNode& node);
  // Code of an expression that is the node's whole text.
  CodeRef expression(const YamlNode& node, const Scope& scope);
  // Code of a message with {expression} holes.
  CodeRef message(const YamlNode& node, const Scope& scope);

  // The versions with rules that a range such as ">=0.5.22,<0.5.23" selects; all of them where `node` is null. 0 after
  // an error.
  Mask versions(const YamlNode* node);
  Mask all_versions() const;
  // The same for those before, of which the arguments alone are known.
  Mask earlier_versions(const YamlNode* node);

  // A scalar's text, reporting anything else. Null gives "".
  std::string scalar(const YamlNode& node);
  StrId text(const YamlNode& node) { return data.intern(scalar(node)); }
  StrId cold_text(const YamlNode& node) { return data.intern_cold(scalar(node)); }
  bool boolean(const YamlNode& node);
  // A list of scalars, or one scalar standing for a list of one, as text ids.
  Run texts(const YamlNode& node) { return list(node, &CompileContext::text); }
  Run cold_texts(const YamlNode& node) { return list(node, &CompileContext::cold_text); }

  std::uint32_t new_slot(const std::string& name);
  CodeRef store(const std::vector<std::uint32_t>& words);

 private:
  Mask mask_of(std::uint32_t first, std::uint32_t end) const;
  Mask selected(const YamlNode* node, Mask among);
  Run list(const YamlNode& node, StrId (CompileContext::*id)(const YamlNode&));
  bool emit_value(const YamlNode& node, const Scope& scope, Uses* uses, bool expressions, Emitter& out, Types* types);
  bool emit_scalar(const YamlNode& node, Emitter& out, Types* types);
  bool emit_text(const YamlNode& node, std::string_view expression, std::size_t base, Emitter& out, Types* types);

  std::map<std::vector<std::uint32_t>, CodeRef> stored_;
};

// The parts, each for the documents' keys it names. Declarations come before anything with expressions.
void compile_about(CompileContext& context, const std::vector<Document>& documents);  // pack: (not its parts)
void compile_flags(CompileContext& context, const std::vector<Document>& documents);  // flags, fields, env, gpus
void declare_names(CompileContext& context, const std::vector<Document>& documents);  // facts … stages
void compile_model(CompileContext& context,
                   const std::vector<Document>& documents);  // facts, functions, tables, classes, state
void compile_rules(CompileContext& context, const std::vector<Document>& documents);  // stages
// What a rule writes, `set:` or `env:` as `kind` says, in PackData::assigns; and its `fix:`, in PackData::fixes.
Run compile_assignments(CompileContext& context, const YamlNode& node, Target kind, const Scope& scope);
Run compile_fixes(CompileContext& context, const YamlNode& node, const Scope& scope);
// The scope of rules that compare launches: declares `node`, the `peers:` of a stage, or takes what a base pack
// declared for it where `node` is null. An empty scope where the stage compares none.
Scope compile_peers(CompileContext& context, std::uint32_t stage, const YamlNode* node);
void compile_upstream(CompileContext& context,
                      const std::vector<Document>& documents);  // upstream: {rule: words}, after the rules
void compile_parts(CompileContext& context, const std::vector<Document>& documents);  // parts, answers, summary, models
void load_symbols(CompileContext& context);                                           // from a base pack
void type_fields(CompileContext& context);                                            // Symbols::field_types

}  // namespace gonogo
