// Encrypted connections to the real service.
#include <chrono>

#include <gtest/gtest.h>

#include "burraco/burraco.h"
#include "failures.h"
#include "relay.h"
#include "server.h"

namespace burraco {
namespace {

using support::code_of;

Options keyed(std::shared_ptr<grpc::ChannelCredentials> credentials) {
  Options options;
  options.timeout = std::chrono::seconds(10);  // for a machine that has much else to do
  options.api_key = support::kApiKey;
  options.credentials = std::move(credentials);
  return options;
}

// What trusts the CA of this file, and may show a certificate.
std::shared_ptr<grpc::ChannelCredentials> trusting(const std::string& ca, const std::string& key = "",
                                                   const std::string& chain = "") {
  return grpc::SslCredentials({ca, key, chain});
}

grpc::StatusCode called(const std::string& target, const Options& options) {
  return code_of([&] { return Client(target, options).call(&Stub::ListPresets, v1::ListPresetsRequest()); });
}

bool shows_the_key(const std::string& bytes) { return bytes.find(support::kApiKey) != std::string::npos; }

TEST(Tls, AConnectionIsEncryptedByNameAndByAddress) {
  const support::Certificates certificates;
  const support::Server server(certificates.settings());
  const auto options = keyed(trusting(certificates.read("ca.pem")));
  for (const std::string& target : {server.target(), "localhost:" + std::to_string(server.port())}) {
    const Table table = Table::create(Client(target, options));
    EXPECT_EQ(table.view(0).revision(), 0U) << target;
  }
}

TEST(Tls, NobodyOnTheWaySeesTheKey) {
  const support::Certificates certificates;
  const support::Server server(certificates.settings());
  const support::Relay relay(server.port());
  EXPECT_EQ(called(relay.target(), keyed(trusting(certificates.read("ca.pem")))), grpc::StatusCode::OK);
  EXPECT_FALSE(relay.seen().empty());
  EXPECT_FALSE(shows_the_key(relay.seen()));
}

TEST(Tls, AServerThatNobodyVouchesForIsUnavailableAndGetsNoKey) {
  const support::Certificates certificates;
  const support::Server server(certificates.settings());
  const support::Relay relay(server.port());
  EXPECT_EQ(called(relay.target(), keyed(trusting(certificates.read("other-ca.pem")))), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(called(relay.target(), keyed(grpc::SslCredentials({}))), grpc::StatusCode::UNAVAILABLE);  // the system's authorities
  EXPECT_EQ(called(relay.target(), keyed(nullptr)), grpc::StatusCode::UNAVAILABLE);  // a caller who forgot to encrypt
  EXPECT_FALSE(relay.seen().empty());
  EXPECT_FALSE(shows_the_key(relay.seen()));
}

TEST(Tls, AServerThatDoesNotEncryptIsUnavailableAndGetsNoKey) {
  const support::Server server;
  const support::Relay relay(server.port());
  EXPECT_EQ(called(relay.target(), keyed(grpc::SslCredentials({}))), grpc::StatusCode::UNAVAILABLE);
  EXPECT_FALSE(relay.seen().empty());
  EXPECT_FALSE(shows_the_key(relay.seen()));
  // What the relay sees where nothing is encrypted, or it would prove nothing above.
  EXPECT_EQ(called(relay.target(), keyed(nullptr)), grpc::StatusCode::OK);
  EXPECT_TRUE(shows_the_key(relay.seen()));
}

TEST(Tls, ACertificateSaysWhoCalls) {
  const support::Certificates certificates;
  auto settings = certificates.settings();
  settings["BURRACO_TLS_CLIENT_CA_FILE"] = certificates.path("ca.pem");
  settings["BURRACO_BACK_END_CERTIFICATES"] = "cn:back-end";
  const support::Server server(settings);
  const auto ca = certificates.read("ca.pem");
  auto known = keyed(trusting(ca, certificates.read("client.key"), certificates.read("client.pem")));
  const auto nobody = keyed(trusting(ca));
  known.api_key.clear();
  EXPECT_EQ(code_of([&] { return Table::create(Client(server.target(), known)); }), grpc::StatusCode::OK);
  EXPECT_EQ(called(server.target(), nobody), grpc::StatusCode::UNAVAILABLE);
}

}  // namespace
}  // namespace burraco
