#include "values.h"

#include <gtest/gtest.h>

namespace conformance {
namespace {

std::vector<std::string> found(const std::string& expected, const std::string& actual) {
  std::vector<std::string> all;
  differences(parse(expected), parse(actual), "", &all);
  return all;
}

TEST(Values, WhatDiffersIsFoundWhereverItIs) {
  EXPECT_TRUE(found(R"({"a": [1, {"b": true}]})", R"({"a": [1, {"b": true}]})").empty());
  EXPECT_EQ(found(R"({"a": {"b": ["x", {"c": 1}]}, "only": true})", R"({"a": {"b": ["y", {"c": "1"}, 3]}, "other": null})"),
            (std::vector<std::string>{R"(a.b[0]: expected "x", actual "y")", R"(a.b[1].c: expected 1, actual "1")",
                                      "a.b[2]: expected (absent), actual 3", "only: expected true, actual (absent)",
                                      "other: expected (absent), actual null"}));
}

TEST(Values, PathsLeadToValuesAndTakeThemOut) {
  auto value = parse(R"({"updates": [{"view": {"n": "a"}}, {"view": {"n": "b"}}, {}]})");
  EXPECT_EQ(text_at(value, "updates[1].view.n"), "b");
  EXPECT_EQ(text_at(value, "updates[2].view.n"), std::nullopt);
  EXPECT_EQ(take_out(&value, "updates[*].view.n"), 2);
  EXPECT_EQ(take_out(&value, "updates[0].view.n"), 0);
  for (const std::string wrong : {"", "a..b", "a[x]", "[0]", "a["}) {
    EXPECT_THROW(text_at(value, wrong), Problem) << wrong;
  }
  EXPECT_THROW(take_out(&value, "updates[0]"), Problem);
}

TEST(Values, ReferencesBecomeValues) {
  const Variables variables{{"state", "AQID"}, {"token", "abc"}};
  const auto request = parse(R"({"state": {"$var": "state"}, "deep": [{"$text": "token", "xor": [{"at": -1, "with": 1}], "cut": 3}],
    "bytes": {"$bytes": "state", "xor": [{"at": 0, "with": 2}], "cut": 2, "append": "/w=="}, "zeros": {"$zeros": 3}})");
  std::vector<std::string> all;
  differences(parse(R"({"state": "AQID", "deep": ["abb"], "bytes": "AwL/", "zeros": "AAAA"})"), resolve(request, variables), "", &all);
  EXPECT_EQ(all, std::vector<std::string>{});
  EXPECT_THROW(resolve(parse(R"({"$var": "never"})"), variables), Problem);
  EXPECT_THROW(resolve(parse(R"({"$bytes": "state", "xor": [{"at": 3, "with": 1}]})"), variables), Problem);
}

}  // namespace
}  // namespace conformance
