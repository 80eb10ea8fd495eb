// JSON values of a vector: paths into them, references to what earlier steps saved, and differences.
#ifndef CONFORMANCE_VALUES_H_
#define CONFORMANCE_VALUES_H_

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <google/protobuf/message.h>
#include <google/protobuf/struct.pb.h>

namespace conformance {

using Json = google::protobuf::Value;
using Variables = std::map<std::string, std::string>;

// What is wrong with a vector, or with what it refers to.
class Problem : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

Json parse(const std::string& text);
std::string print(const google::protobuf::Message& message);

// The value of a key; null where there is none.
const Json& at(const Json& object, const std::string& key);
bool has(const Json& object, const std::string& key);
Json text_value(const std::string& text);

// The text at a path without `*`, if there is one.
std::optional<std::string> text_at(const Json& value, const std::string& path);

// Removes what a path leads to; how often it led somewhere.
int take_out(Json* value, const std::string& path);

// Puts values in the place of references, all the way down.
Json resolve(const Json& value, const Variables& variables);

std::string bytes_of(const std::string& base64);

// Every place where two values differ, a line each; neither may have a key that the other has not.
void differences(const Json& expected, const Json& actual, const std::string& path, std::vector<std::string>* found);

}  // namespace conformance

#endif  // CONFORMANCE_VALUES_H_
