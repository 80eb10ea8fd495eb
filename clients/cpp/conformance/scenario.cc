#include "scenario.h"

namespace conformance {
namespace {

// What stands under `any` has to be there; neither that nor what stands under `ignore` is compared.
void compare(const Json& expect, const Json& actual, std::vector<std::string>* found) {
  Json expected = expect;
  Json compared = actual;
  for (const std::string list : {"any", "ignore"}) {
    for (const auto& path : at(expect, list).list_value().values()) {
      if (!has(compared, "answer")) {
        continue;
      }
      auto* answer = &compared.mutable_struct_value()->mutable_fields()->at("answer");
      if (take_out(answer, path.string_value()) == 0 && list == "any") {
        found->push_back("answer." + path.string_value() + ": expected (anything), actual (absent)");
      }
    }
    expected.mutable_struct_value()->mutable_fields()->erase(list);
  }
  differences(expected, compared, "", found);
}

std::vector<std::string> run_step(const Json& step, const Caller& caller, const Json& metadata, Variables* variables) {
  const Json sent = resolve(has(step, "metadata") ? at(step, "metadata") : metadata, *variables);
  std::optional<std::string> raw;
  Json request;
  request.mutable_struct_value();
  if (has(step, "requestBytes")) {
    raw = bytes_of(at(step, "requestBytes").string_value());
  } else if (has(step, "request")) {
    request = resolve(at(step, "request"), *variables);
  }
  const Json actual = caller.call(at(step, "rpc").string_value(), sent, request, raw);
  std::vector<std::string> found;
  compare(at(step, "expect"), actual, &found);
  for (const auto& [name, path] : at(step, "save").struct_value().fields()) {
    if (const auto text = text_at(at(actual, "answer"), path.string_value())) {
      (*variables)[name] = *text;
    } else {
      found.push_back("answer." + path.string_value() + ": expected something to save as " + name + ", actual (absent)");
    }
  }
  return found;
}

}  // namespace

std::vector<std::string> run(const Json& scenario, const Caller& caller, const Json& metadata) {
  Variables variables;
  for (const auto& [name, value] : at(scenario, "variables").struct_value().fields()) {
    variables[name] = value.string_value();
  }
  const auto& steps = at(scenario, "steps").list_value().values();
  if (steps.empty()) {
    return {"there are no steps"};
  }
  for (int index = 0; index < steps.size(); ++index) {
    std::vector<std::string> found;
    try {
      found = run_step(steps[index], caller, metadata, &variables);
    } catch (const Problem& problem) {
      found = {std::string("(the step): expected to be run, actual ") + problem.what()};
    }
    for (auto& line : found) {
      line = "step " + std::to_string(index) + ", " + at(steps[index], "rpc").string_value() + ", " + line;
    }
    if (!found.empty()) {
      return found;
    }
  }
  return {};
}

}  // namespace conformance
