#include "caller.h"

#include <chrono>

#include <google/protobuf/descriptor.h>
#include <google/protobuf/util/json_util.h>
#include <grpcpp/generic/generic_stub.h>

#include "burraco/error.h"
#include "burraco/v1/arbiter_service.pb.h"
#include "burraco/v1/game_service.pb.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"

namespace conformance {
namespace {

using google::protobuf::Message;
using google::protobuf::MethodDescriptor;

constexpr std::chrono::seconds kTimeout{30};

std::shared_ptr<grpc::Channel> channel(const std::string& target) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  return grpc::CreateCustomChannel(target, grpc::InsecureChannelCredentials(), arguments);
}

const MethodDescriptor& method_of(const std::string& rpc) {
  const auto slash = rpc.find('/');
  const auto* service = google::protobuf::DescriptorPool::generated_pool()->FindServiceByName(rpc.substr(0, slash));
  const auto* method = service != nullptr ? service->FindMethodByName(rpc.substr(slash + 1)) : nullptr;
  if (method == nullptr) {
    throw Problem("there is no RPC " + rpc);
  }
  return *method;
}

// A message of the generated class: nothing gets through it but what that holds.
std::unique_ptr<Message> message_of(const google::protobuf::Descriptor* type) {
  return std::unique_ptr<Message>(google::protobuf::MessageFactory::generated_factory()->GetPrototype(type)->New());
}

std::string request_bytes(const MethodDescriptor& method, const Json& request) {
  const auto message = message_of(method.input_type());
  const auto status = google::protobuf::util::JsonStringToMessage(print(request), message.get());
  if (!status.ok()) {
    throw Problem("the request is no " + method.input_type()->name() + ": " + status.ToString());
  }
  return message->SerializeAsString();
}

// A unary call of bytes; the generic stub has the asynchronous form alone.
grpc::Status send(const std::shared_ptr<grpc::Channel>& to, const std::string& rpc, grpc::ClientContext* context,
                  const std::string& sent, std::string* received) {
  grpc::GenericStub stub(to);
  grpc::CompletionQueue queue;
  const grpc::Slice out(sent);
  const auto call = stub.PrepareUnaryCall(context, "/" + rpc, grpc::ByteBuffer(&out, 1), &queue);
  grpc::ByteBuffer answer;
  grpc::Status status;
  call->StartCall();
  call->Finish(&answer, &status, &answer);
  void* tag = nullptr;
  bool ok = false;
  queue.Next(&tag, &ok);
  std::vector<grpc::Slice> slices;
  if (status.ok() && answer.Dump(&slices).ok()) {
    for (const auto& slice : slices) {
      received->append(reinterpret_cast<const char*>(slice.begin()), slice.size());
    }
  }
  return status;
}

// How a call failed. Without the details of this service nothing but the code is told.
Json failure(const grpc::Status& status) {
  Json told;
  auto& fields = *told.mutable_struct_value()->mutable_fields();
  fields["code"] = text_value(burraco::code_name(status.error_code()));
  google::rpc::Status details;
  google::rpc::ErrorInfo info;
  google::rpc::BadRequest bad;
  google::rpc::RetryInfo retry;
  if (!details.ParseFromString(status.error_details())) {
    throw Problem("the details are no google.rpc.Status");
  }
  for (const auto& detail : details.details()) {
    if (!detail.UnpackTo(&info) && !detail.UnpackTo(&bad) && !detail.UnpackTo(&retry)) {
      throw Problem("a detail is a " + detail.type_url());
    }
  }
  if (info.domain() != "burraco") {
    return told;
  }
  fields["reason"] = text_value(info.reason());
  const auto put = [&fields](const std::string& name, const Json& value) {
    if (value.kind_case() != Json::KIND_NOT_SET) {
      fields[name] = value;
    }
  };
  put("arguments", at(parse(print(info)), "metadata"));
  put("message", status.error_message().empty() ? Json() : text_value(status.error_message()));
  put("fields", at(parse(print(bad)), "fieldViolations"));
  put("retryDelay", at(parse(print(retry)), "retryDelay"));
  return told;
}

}  // namespace

Caller::Caller(const std::string& target, const std::string& arbiter_target) {
  channels_[burraco::v1::GetViewRequest::descriptor()->file()->service(0)->full_name()] = channel(target);
  if (!arbiter_target.empty()) {
    channels_[burraco::v1::InspectStateRequest::descriptor()->file()->service(0)->full_name()] = channel(arbiter_target);
  }
}

Json Caller::call(const std::string& rpc, const Json& metadata, const Json& request,
                  const std::optional<std::string>& raw) const {
  const auto& method = method_of(rpc);
  const auto to = channels_.find(method.service()->full_name());
  if (to == channels_.end()) {
    throw Problem("there is no address of " + method.service()->full_name());
  }
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kTimeout);
  for (const auto& [name, value] : metadata.struct_value().fields()) {
    context.AddMetadata(name, value.string_value());
  }
  std::string received;
  const auto status = send(to->second, rpc, &context, raw ? *raw : request_bytes(method, request), &received);
  if (!status.ok()) {
    return failure(status);
  }
  const auto answer = message_of(method.output_type());
  if (!answer->ParseFromString(received)) {
    throw Problem("the answer is no " + method.output_type()->name());
  }
  Json told;
  (*told.mutable_struct_value()->mutable_fields())["code"] = text_value("OK");
  (*told.mutable_struct_value()->mutable_fields())["answer"] = parse(print(*answer));
  return told;
}

}  // namespace conformance
