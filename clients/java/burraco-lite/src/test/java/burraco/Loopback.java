package burraco;

import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.okhttp.OkHttpServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A server of OkHttp on a free port of loopback. */
final class Loopback {
  private Loopback() {}

  static Server start(ServerServiceDefinition service) throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0);
    return OkHttpServerBuilder.forPort(address, InsecureServerCredentials.create()).addService(service).build().start();
  }
}
