// A temporary directory that a test fills, and that goes with it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"

namespace gonogo {

class Tree {
 public:
  Tree() {
    std::string name = (std::filesystem::temp_directory_path() / "gonogo-test-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = std::filesystem::canonical(name).string();
  }
  // With files: names below it, and their texts.
  explicit Tree(const std::vector<std::pair<std::string, std::string>>& files) : Tree() {
    for (const auto& [name, text] : files) file(name, text);
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  ~Tree() {
    std::error_code failed;
    std::filesystem::remove_all(path_, failed);
  }

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& below) const { return path_ + "/" + below; }

  // A file with its directories.
  std::string file(const std::string& below, const std::string& text = {}) const {
    const std::string full = path_ + "/" + below;
    std::filesystem::create_directories(std::filesystem::path(full).parent_path());
    std::ofstream(full, std::ios::binary) << text;
    return full;
  }
  std::string directory(const std::string& below) const {
    std::filesystem::create_directories(path_ + "/" + below);
    return path_ + "/" + below;
  }
  void link(const std::string& target, const std::string& below) const {
    std::filesystem::create_directories(std::filesystem::path(path_ + "/" + below).parent_path());
    std::filesystem::create_symlink(target, path_ + "/" + below);
  }

 private:
  std::string path_;
};

}  // namespace gonogo
