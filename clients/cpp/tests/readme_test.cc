#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace {

std::string read(const char* path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The quick start of the README is the example, which is compiled with the tests.
TEST(Readme, ItsQuickStartIsTheExample) {
  const std::string readme = read(README);
  const std::string example = read(QUICK_START);
  const auto begin = readme.find("```cpp\n") + 7;
  const auto shown = readme.substr(begin, readme.find("```", begin) - begin);
  EXPECT_FALSE(shown.empty());
  EXPECT_EQ(shown, example.substr(example.find("#include")));
}

}  // namespace
