package burraco.kotlin

import io.grpc.Server
import io.grpc.ServerServiceDefinition
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder
import java.net.InetAddress
import java.net.InetSocketAddress

/** A server of Netty on a free port of loopback. */
internal fun serve(service: ServerServiceDefinition): Server =
    NettyServerBuilder.forAddress(InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0))
        .addService(service).build().start()
