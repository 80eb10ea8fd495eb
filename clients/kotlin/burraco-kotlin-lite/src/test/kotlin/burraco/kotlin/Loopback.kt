package burraco.kotlin

import io.grpc.InsecureServerCredentials
import io.grpc.Server
import io.grpc.ServerServiceDefinition
import io.grpc.okhttp.OkHttpServerBuilder
import java.net.InetAddress
import java.net.InetSocketAddress

/** A server of OkHttp on a free port of loopback. */
internal fun serve(service: ServerServiceDefinition): Server =
    OkHttpServerBuilder.forPort(
        InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), InsecureServerCredentials.create(),
    ).addService(service).build().start()
