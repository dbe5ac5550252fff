#include "carriers/git_base.h"

#include <algorithm>

#ifdef GONOGO_LIBGIT2
#include <dlfcn.h>
#include <git2.h>
#endif

namespace gonogo {

namespace {

Error failed(std::string what, std::string hint = {}) {
  return {Error::Kind::kInput, std::move(what), {}, std::move(hint), ""};
}

#ifdef GONOGO_LIBGIT2

constexpr std::size_t kMaxTouched = 200'000;
constexpr std::size_t kShortId = 10;

// libgit2's functions by their names.
#define GONOGO_GIT_FUNCTIONS(F)      \
  F(libgit2_init)                    \
  F(libgit2_version)                 \
  F(error_last)                      \
  F(repository_open_ext)             \
  F(repository_workdir)              \
  F(repository_free)                 \
  F(reference_name_to_id)            \
  F(revparse_single)                 \
  F(merge_base)                      \
  F(object_lookup)                   \
  F(object_peel)                     \
  F(object_id)                       \
  F(object_free)                     \
  F(oid_tostr)                       \
  F(diff_options_init)               \
  F(diff_find_options_init)          \
  F(diff_tree_to_workdir_with_index) \
  F(diff_find_similar)               \
  F(diff_num_deltas)                 \
  F(diff_get_delta)                  \
  F(diff_free)                       \
  F(tree_walk)                       \
  F(tree_entry_bypath)               \
  F(tree_entry_type)                 \
  F(tree_entry_name)                 \
  F(tree_entry_to_object)            \
  F(tree_entry_free)                 \
  F(blob_rawcontent)                 \
  F(blob_rawsize)

struct Git {
#define GONOGO_DECLARE(name) decltype(&::git_##name) name = nullptr;
  GONOGO_GIT_FUNCTIONS(GONOGO_DECLARE)
#undef GONOGO_DECLARE

  // An error where this machine has no libgit2 of the release that this was compiled for: its structures differ.
  static Result<const Git*> load() {
    static Git git;
    static const bool loaded = git.find();
    if (!loaded) return failed("there is no " GONOGO_LIBGIT2 " on this machine", "install libgit2");
    return &git;
  }

  // The reason of the last failure.
  std::string reason() const {
    const git_error* error = error_last();
    return error != nullptr && error->message != nullptr ? error->message : "unknown";
  }

 private:
  bool find() {
    void* library = ::dlopen(GONOGO_LIBGIT2, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return false;
    bool all = true;
    const auto function = [&](auto& to, const char* symbol) {
      to = reinterpret_cast<std::remove_reference_t<decltype(to)>>(::dlsym(library, symbol));
      all = all && to != nullptr;
    };
#define GONOGO_FIND(name) function(name, "git_" #name);
    GONOGO_GIT_FUNCTIONS(GONOGO_FIND)
#undef GONOGO_FIND
    if (!all) return false;
    int major = 0;
    int minor = 0;
    int revision = 0;
    libgit2_version(&major, &minor, &revision);
    return major == LIBGIT2_VER_MAJOR && minor == LIBGIT2_VER_MINOR && libgit2_init() > 0;
  }
};

// What libgit2 gave, and frees.
template <typename T>
using Held = std::unique_ptr<T, void (*)(T*)>;

class LibGitBase : public GitBase {
 public:
  explicit LibGitBase(const Git& git)
      : git_(git), repository_(nullptr, git.repository_free), tree_(nullptr, git.object_free) {}

  std::optional<Error> open(const std::string& folder, const std::string& ref) {
    git_repository* repository = nullptr;
    if (git_.repository_open_ext(&repository, folder.c_str(), 0, nullptr) != 0) {
      return failed("no git repository can be read here: " + git_.reason());
    }
    repository_.reset(repository);
    const char* root = git_.repository_workdir(repository);
    if (root == nullptr) return failed("the git repository has no working tree");
    root_ = root;
    while (root_.size() > 1 && root_.back() == '/') root_.pop_back();

    Held<git_object> named = find(ref);
    Held<git_object> commit(nullptr, git_.object_free);
    git_object* peeled = nullptr;
    if (named != nullptr && git_.object_peel(&peeled, named.get(), GIT_OBJECT_COMMIT) == 0) commit.reset(peeled);
    if (commit == nullptr) {
      return failed("'" + ref + "' names no commit: " + git_.reason(), "in a shallow clone, fetch it first");
    }
    git_oid head{};
    git_oid base = *git_.object_id(commit.get());
    if (git_.reference_name_to_id(&head, repository, "HEAD") == 0) {
      git_oid merge_base{};
      if (git_.merge_base(&merge_base, repository, &head, &base) == 0) base = merge_base;
    }
    char id[GIT_OID_HEXSZ + 1];
    commit_ = std::string(git_.oid_tostr(id, sizeof id, &base)).substr(0, kShortId);
    git_object* found = nullptr;
    if (git_.object_lookup(&found, repository, &base, GIT_OBJECT_COMMIT) != 0) return unreadable();
    commit.reset(found);
    git_object* tree = nullptr;
    if (git_.object_peel(&tree, commit.get(), GIT_OBJECT_TREE) != 0) return unreadable();
    tree_.reset(tree);
    return std::nullopt;
  }

  const std::string& root() const override { return root_; }
  std::string commit() const override { return commit_; }

  Result<std::vector<TouchedFile>> touched() const override {
    git_diff_options options;
    git_.diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
    options.flags = GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_RECURSE_UNTRACKED_DIRS | GIT_DIFF_IGNORE_SUBMODULES |
                    GIT_DIFF_SKIP_BINARY_CHECK;
    git_diff* made = nullptr;
    if (git_.diff_tree_to_workdir_with_index(&made, repository_.get(), tree(), &options) != 0) return unreadable();
    const Held<git_diff> diff(made, git_.diff_free);
    git_diff_find_options find;
    git_.diff_find_options_init(&find, GIT_DIFF_FIND_OPTIONS_VERSION);
    find.flags = GIT_DIFF_FIND_RENAMES | GIT_DIFF_FIND_FOR_UNTRACKED;
    if (git_.diff_find_similar(diff.get(), &find) != 0) return unreadable();
    const std::size_t count = git_.diff_num_deltas(diff.get());
    if (count > kMaxTouched) return failed("more than 200,000 files differ", "name a nearer commit");
    std::vector<TouchedFile> out;
    for (std::size_t i = 0; i < count; ++i) {
      const git_diff_delta* delta = git_.diff_get_delta(diff.get(), i);
      const bool added = delta->status == GIT_DELTA_ADDED || delta->status == GIT_DELTA_UNTRACKED;
      const bool removed = delta->status == GIT_DELTA_DELETED;
      if (delta->status == GIT_DELTA_UNMODIFIED || delta->status == GIT_DELTA_IGNORED) continue;
      out.push_back(
          {removed ? delta->old_file.path : delta->new_file.path, added ? "" : delta->old_file.path, removed});
    }
    std::sort(out.begin(), out.end(), [](const TouchedFile& a, const TouchedFile& b) { return a.path < b.path; });
    return out;
  }

  std::vector<std::string> files() const override {
    struct Walk {
      const Git& git;
      std::vector<std::string> out;
    } walk{git_, {}};
    const auto add = [](const char* folder, const git_tree_entry* entry, void* to) {
      auto& into = *static_cast<Walk*>(to);
      if (into.git.tree_entry_type(entry) == GIT_OBJECT_BLOB) {
        into.out.push_back(std::string(folder) + into.git.tree_entry_name(entry));
      }
      return 0;
    };
    git_.tree_walk(tree(), GIT_TREEWALK_PRE, add, &walk);
    std::sort(walk.out.begin(), walk.out.end());
    return std::move(walk.out);
  }

  std::optional<std::string> text(const std::string& path, std::size_t limit) const override {
    git_tree_entry* entry = nullptr;
    if (git_.tree_entry_bypath(&entry, tree(), path.c_str()) != 0) return std::nullopt;
    const Held<git_tree_entry> held(entry, git_.tree_entry_free);
    if (git_.tree_entry_type(entry) != GIT_OBJECT_BLOB) return std::nullopt;
    git_object* object = nullptr;
    if (git_.tree_entry_to_object(&object, repository_.get(), entry) != 0) return std::nullopt;
    const Held<git_object> blob(object, git_.object_free);
    const auto* bytes = reinterpret_cast<const git_blob*>(object);
    const auto size = static_cast<std::size_t>(git_.blob_rawsize(bytes));
    if (size > limit) return std::nullopt;
    return std::string(static_cast<const char*>(git_.blob_rawcontent(bytes)), size);
  }

 private:
  git_tree* tree() const { return reinterpret_cast<git_tree*>(tree_.get()); }

  Held<git_object> find(const std::string& ref) const {
    git_object* object = nullptr;
    git_.revparse_single(&object, repository_.get(), ref.c_str());
    return {object, git_.object_free};
  }

  Error unreadable() const { return failed("the git repository can't be read: " + git_.reason()); }

  const Git& git_;
  Held<git_repository> repository_;
  Held<git_object> tree_;
  std::string root_;
  std::string commit_;
};

#endif

}  // namespace

Result<std::unique_ptr<GitBase>> GitBase::open(const std::string& folder, const std::string& ref) {
#ifdef GONOGO_LIBGIT2
  const auto git = Git::load();
  if (!git) return git.error();
  auto base = std::make_unique<LibGitBase>(**git);
  if (auto error = base->open(folder, ref)) return *error;
  return std::unique_ptr<GitBase>(std::move(base));
#else
  static_cast<void>(folder);
  return failed("'" + ref + "' can't be read: this gonogo was built without libgit2");
#endif
}

}  // namespace gonogo
