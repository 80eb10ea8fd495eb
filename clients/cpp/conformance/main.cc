// Runs the conformance vectors, and one whole match with the hand-written layer, against a server that is there.
//
// BURRACO_TARGET is its address, BURRACO_ARBITER_TARGET that of its arbiter (without it those scenarios are skipped), and
// BURRACO_VECTORS the folder with manifest.json. Words on the command line choose scenarios that have them in their path.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include "burraco/burraco.h"
#include "caller.h"
#include "scenario.h"
#include "script.h"
#include "values.h"

namespace {

using conformance::at;
using conformance::Json;
using conformance::Problem;

constexpr double kFormat = 1;
constexpr char kMatch[] = "match";

struct Counts {
  int passed = 0;
  int failed = 0;
  int skipped = 0;
};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

Json read(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    throw Problem(path + " cannot be read; see BURRACO_VECTORS");
  }
  std::stringstream text;
  text << file.rdbuf();
  return conformance::parse(text.str());
}

bool is_chosen(const std::string& path, const std::vector<std::string>& words) {
  return std::all_of(words.begin(), words.end(), [&](const auto& word) { return path.find(word) != std::string::npos; });
}

void print(const std::string& part, const Counts& counts) {
  std::cout << part << (part.empty() ? "" : ": ") << counts.passed << " passed, " << counts.failed << " failed, " << counts.skipped
            << " skipped\n";
}

void run_one(const std::string& folder, const std::string& path, const conformance::Caller& caller, const Json& metadata,
             const std::set<std::string>& able, Counts* counts) {
  const Json scenario = read(folder + "/" + path);
  std::string lacking;
  for (const auto& need : at(scenario, "needs").list_value().values()) {
    if (able.count(need.string_value()) == 0) {
      lacking += (lacking.empty() ? "" : ", ") + need.string_value();
    }
  }
  if (!lacking.empty()) {
    std::cout << "SKIPPED " << path << ", which needs " << lacking << '\n';
    ++counts->skipped;
    return;
  }
  const auto wrong = conformance::run(scenario, caller, metadata);
  for (const auto& line : wrong) {
    std::cout << "FAILED " << path << ", " << line << '\n';
  }
  ++(wrong.empty() ? counts->passed : counts->failed);
}

Counts run_match(const std::string& target, const std::string& api_key) {
  try {
    burraco::Options options;
    options.api_key = api_key;
    conformance::play_twice(burraco::Client(target, options));
    return {1, 0, 0};
  } catch (const std::exception& error) {
    std::cout << "FAILED " << kMatch << ", " << error.what() << '\n';
    return {0, 1, 0};
  }
}

int run(const std::vector<std::string>& words) {
  const std::string target = variable("BURRACO_TARGET");
  const std::string arbiter = variable("BURRACO_ARBITER_TARGET");
  const std::string folder = variable("BURRACO_VECTORS");
  if (target.empty() || folder.empty()) {
    throw Problem("set BURRACO_TARGET to HOST:PORT of a server, and BURRACO_VECTORS to the folder of the vectors");
  }
  const Json manifest = read(folder + "/manifest.json");
  if (at(manifest, "format").number_value() != kFormat) {
    throw Problem("the vectors are of another format than this runner knows, which is 1");
  }
  std::set<std::string> able{"rawRequests", "unknownEnums"};
  if (!arbiter.empty()) {
    able.insert("arbiter");
  }
  const conformance::Caller caller(target, arbiter);
  const Json& metadata = at(manifest, "metadata");
  std::map<std::string, Counts> parts;
  for (const auto& file : at(manifest, "files").list_value().values()) {
    const std::string path = at(file, "path").string_value();
    if (is_chosen(path, words)) {
      const auto begin = path.find('/') + 1;
      run_one(folder, path, caller, metadata, able, &parts[path.substr(begin, path.find('/', begin) - begin)]);
    }
  }
  Counts sum;
  const auto tell = [&sum](const std::string& part, const Counts& counts) {
    print(part, counts);
    sum = {sum.passed + counts.passed, sum.failed + counts.failed, sum.skipped + counts.skipped};
  };
  const bool with_match = is_chosen(kMatch, words);
  const Counts match = with_match ? run_match(target, at(metadata, "burraco-api-key").string_value()) : Counts();
  for (const auto& [part, counts] : parts) {
    tell(part, counts);
  }
  if (with_match) {
    tell(kMatch, match);
  }
  print("", sum);
  return sum.failed > 0 ? 1 : 0;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run({words + 1, words + count});
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
