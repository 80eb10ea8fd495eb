package burraco;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A server of Netty on a free port of loopback. */
final class Loopback {
  private Loopback() {}

  static Server start(ServerServiceDefinition service) throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0);
    return NettyServerBuilder.forAddress(address).addService(service).build().start();
  }
}
