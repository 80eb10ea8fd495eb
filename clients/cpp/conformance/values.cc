#include "values.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <google/protobuf/util/json_util.h>
#include <google/protobuf/wrappers.pb.h>

namespace conformance {
namespace {

constexpr int kEach = -1;
constexpr char kAbsent[] = "(absent)";

struct Step {
  std::string name;  // empty: an index
  int index = 0;
};

// Reads a path such as `accepted.updates[0].view`.
std::vector<Step> steps(const std::string& path) {
  std::vector<Step> found;
  std::size_t at = 0;
  const auto wrong = [&] { return Problem("\"" + path + "\" is no path"); };
  while (at < path.size()) {
    if (path[at] == '[') {
      const auto end = path.find(']', at);
      const std::string inner = end == std::string::npos ? "" : path.substr(at + 1, end - at - 1);
      const bool digits = !inner.empty() && std::all_of(inner.begin(), inner.end(), [](unsigned char c) { return std::isdigit(c); });
      if (found.empty() || (!digits && inner != "*")) {
        throw wrong();
      }
      found.push_back({"", digits ? std::stoi(inner) : kEach});
      at = end + 1;
      continue;
    }
    at += !found.empty() && path[at] == '.' ? 1 : 0;
    const auto end = path.find_first_of(".[]", at);
    const std::string name = path.substr(at, end - at);
    if (name.empty()) {
      throw wrong();
    }
    found.push_back({name, 0});
    at = end == std::string::npos ? path.size() : end;
  }
  if (found.empty()) {
    throw wrong();
  }
  return found;
}

std::vector<Json*> inside(Json* holder, const Step& step) {
  if (!step.name.empty()) {
    if (!has(*holder, step.name)) {
      return {};
    }
    return {&holder->mutable_struct_value()->mutable_fields()->at(step.name)};
  }
  std::vector<Json*> found;
  if (holder->kind_case() == Json::kListValue) {
    auto* values = holder->mutable_list_value()->mutable_values();
    for (int at = 0; at < values->size(); ++at) {
      if (step.index == kEach || step.index == at) {
        found.push_back(values->Mutable(at));
      }
    }
  }
  return found;
}

std::string base64_of(const std::string& bytes) {
  google::protobuf::BytesValue wrapped;
  wrapped.set_value(bytes);
  return parse(print(wrapped)).string_value();
}

const std::string& variable(const Json& name, const Variables& variables) {
  const auto found = variables.find(name.string_value());
  if (found == variables.end()) {
    throw Problem("the variable " + name.string_value() + " was never saved");
  }
  return found->second;
}

// Changes content as asked: `xor` first, then `cut`, then `append`.
std::string edited(std::string content, const Json& edits) {
  for (const auto& change : at(edits, "xor").list_value().values()) {
    auto place = static_cast<long>(at(change, "at").number_value());
    place += place < 0 ? static_cast<long>(content.size()) : 0;
    if (place < 0 || place >= static_cast<long>(content.size())) {
      throw Problem(print(change) + " changes no byte that is there");
    }
    auto& byte = content[static_cast<std::size_t>(place)];
    byte = static_cast<char>(static_cast<unsigned char>(byte) ^ static_cast<unsigned char>(at(change, "with").number_value()));
  }
  if (has(edits, "cut")) {
    content.resize(std::min(content.size(), static_cast<std::size_t>(at(edits, "cut").number_value())));
  }
  return content + bytes_of(at(edits, "append").string_value());
}

std::optional<std::string> reference(const Json& value, const Variables& variables) {
  if (has(value, "$var")) {
    return variable(at(value, "$var"), variables);
  }
  if (has(value, "$bytes")) {
    return base64_of(edited(bytes_of(variable(at(value, "$bytes"), variables)), value));
  }
  if (has(value, "$text")) {
    return edited(variable(at(value, "$text"), variables), value);
  }
  if (has(value, "$zeros")) {
    return base64_of(std::string(static_cast<std::size_t>(at(value, "$zeros").number_value()), '\0'));
  }
  return std::nullopt;
}

std::string difference(const std::string& path, const std::string& expected, const std::string& actual) {
  return (path.empty() ? "(whole)" : path) + ": expected " + expected + ", actual " + actual;
}

void compare(const Json* expected, const Json* actual, const std::string& path, std::vector<std::string>* found) {
  if (expected != nullptr && actual != nullptr) {
    differences(*expected, *actual, path, found);
  } else {
    const auto shown = [](const Json* value) { return value != nullptr ? print(*value) : kAbsent; };
    found->push_back(difference(path, shown(expected), shown(actual)));
  }
}

}  // namespace

Json parse(const std::string& text) {
  Json value;
  const auto status = google::protobuf::util::JsonStringToMessage(text, &value);
  if (!status.ok()) {
    throw Problem("no JSON: " + status.ToString());
  }
  return value;
}

std::string print(const google::protobuf::Message& message) {
  std::string text;
  const auto status = google::protobuf::util::MessageToJsonString(message, &text);
  if (!status.ok()) {
    throw Problem("a " + message.GetTypeName() + " as JSON: " + status.ToString());
  }
  return text;
}

bool has(const Json& object, const std::string& key) {
  return object.kind_case() == Json::kStructValue && object.struct_value().fields().count(key) > 0;
}

const Json& at(const Json& object, const std::string& key) {
  return has(object, key) ? object.struct_value().fields().at(key) : Json::default_instance();
}

Json text_value(const std::string& text) {
  Json value;
  value.set_string_value(text);
  return value;
}

std::optional<std::string> text_at(const Json& value, const std::string& path) {
  Json copy = value;
  Json* found = &copy;
  for (const auto& step : steps(path)) {
    const auto inner = step.index == kEach ? std::vector<Json*>{} : inside(found, step);
    if (inner.empty()) {
      return std::nullopt;
    }
    found = inner.front();
  }
  return found->kind_case() == Json::kStringValue ? std::optional(found->string_value()) : std::nullopt;
}

int take_out(Json* value, const std::string& path) {
  auto way = steps(path);
  const Step last = way.back();
  way.pop_back();
  if (last.name.empty()) {
    throw Problem("\"" + path + "\" has to end with a name: an array keeps its length");
  }
  std::vector<Json*> holders{value};
  for (const auto& step : way) {
    std::vector<Json*> inner;
    for (Json* holder : holders) {
      const auto found = inside(holder, step);
      inner.insert(inner.end(), found.begin(), found.end());
    }
    holders = inner;
  }
  int taken = 0;
  for (Json* holder : holders) {
    if (has(*holder, last.name)) {
      holder->mutable_struct_value()->mutable_fields()->erase(last.name);
      ++taken;
    }
  }
  return taken;
}

Json resolve(const Json& value, const Variables& variables) {
  Json resolved;
  if (value.kind_case() == Json::kListValue) {
    resolved.mutable_list_value();
    for (const auto& each : value.list_value().values()) {
      *resolved.mutable_list_value()->add_values() = resolve(each, variables);
    }
  } else if (value.kind_case() == Json::kStructValue) {
    if (const auto text = reference(value, variables)) {
      return text_value(*text);
    }
    auto* fields = resolved.mutable_struct_value()->mutable_fields();
    for (const auto& [key, each] : value.struct_value().fields()) {
      (*fields)[key] = resolve(each, variables);
    }
  } else {
    return value;
  }
  return resolved;
}

std::string bytes_of(const std::string& base64) {
  google::protobuf::BytesValue wrapped;
  const auto status = google::protobuf::util::JsonStringToMessage(print(text_value(base64)), &wrapped);
  if (!status.ok()) {
    throw Problem("\"" + base64 + "\" is no base64");
  }
  return wrapped.value();
}

void differences(const Json& expected, const Json& actual, const std::string& path, std::vector<std::string>* found) {
  if (expected.kind_case() == Json::kStructValue && actual.kind_case() == Json::kStructValue) {
    std::set<std::string> keys;
    for (const auto* each : {&expected, &actual}) {
      for (const auto& field : each->struct_value().fields()) {
        keys.insert(field.first);
      }
    }
    for (const auto& key : keys) {
      const auto inner = path.empty() ? key : path + "." + key;
      compare(has(expected, key) ? &at(expected, key) : nullptr, has(actual, key) ? &at(actual, key) : nullptr, inner, found);
    }
  } else if (expected.kind_case() == Json::kListValue && actual.kind_case() == Json::kListValue) {
    const auto& wanted = expected.list_value().values();
    const auto& given = actual.list_value().values();
    for (int index = 0; index < std::max(wanted.size(), given.size()); ++index) {
      const auto inner = path + "[" + std::to_string(index) + "]";
      compare(index < wanted.size() ? &wanted[index] : nullptr, index < given.size() ? &given[index] : nullptr, inner, found);
    }
  } else if (expected.kind_case() != actual.kind_case() || expected.SerializeAsString() != actual.SerializeAsString()) {
    found->push_back(difference(path, print(expected), print(actual)));
  }
}

}  // namespace conformance
