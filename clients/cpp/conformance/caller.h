// Makes the calls of vectors: JSON in, JSON out, through the generated messages.
#ifndef CONFORMANCE_CALLER_H_
#define CONFORMANCE_CALLER_H_

#include <map>
#include <memory>
#include <optional>
#include <string>

#include <grpcpp/grpcpp.h>

#include "values.h"

namespace conformance {

// Channels to the servers, without retries.
class Caller {
 public:
  Caller(const std::string& target, const std::string& arbiter_target);

  // Makes a call and says how it ended, as `expect` of a vector has it. `raw` is sent as it is in place of a request.
  Json call(const std::string& rpc, const Json& metadata, const Json& request, const std::optional<std::string>& raw) const;

 private:
  std::map<std::string, std::shared_ptr<grpc::Channel>> channels_;
};

}  // namespace conformance

#endif  // CONFORMANCE_CALLER_H_
