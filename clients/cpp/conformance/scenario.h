// Runs a scenario: each step's request is sent, and the answer compared with what is expected.
#ifndef CONFORMANCE_SCENARIO_H_
#define CONFORMANCE_SCENARIO_H_

#include <string>
#include <vector>

#include "caller.h"
#include "values.h"

namespace conformance {

// Runs a scenario until its end or its first failure, and gives what is wrong, a line each; `metadata` is sent where a step has
// none of its own.
std::vector<std::string> run(const Json& scenario, const Caller& caller, const Json& metadata);

}  // namespace conformance

#endif  // CONFORMANCE_SCENARIO_H_
