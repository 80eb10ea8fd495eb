#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

std::string read(const char* path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The blocks of the README that are in a language.
std::vector<std::string> blocks(const std::string& language) {
  const std::string readme = read(CLIENT_FOLDER "/README.md");
  const std::string opening = "```" + language + "\n";
  std::vector<std::string> all;
  for (auto at = readme.find(opening); at != std::string::npos; at = readme.find(opening, at)) {
    at += opening.size();
    all.push_back(readme.substr(at, readme.find("```", at) - at));
  }
  return all;
}

// All code of the README is compiled with the tests: the quick start is the example, and the live tests have the other block.
TEST(Readme, ItsCodeIsCompiled) {
  const std::string example = read(CLIENT_FOLDER "/examples/quick_start.cc");
  const std::string language = read(CLIENT_FOLDER "/tests/readme_language.inc");
  EXPECT_EQ(blocks("cpp"), (std::vector{example.substr(example.find("#include")), language}));
}

}  // namespace
