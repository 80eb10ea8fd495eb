package burraco.kotlin

import burraco.Moves
import com.google.protobuf.GeneratedMessageLite
import kotlin.test.Test
import kotlin.test.assertFailsWith
import kotlin.test.assertIs

/** What an Android app has, and no more, is on the class path of these tests. */
class LiteRuntimeTest {
    @Test
    fun `messages are lite`() {
        assertIs<GeneratedMessageLite<*, *>>(Moves.draw() as Any)
    }

    @Test
    fun `the full runtime is not there`() {
        listOf("com.google.protobuf.Descriptors", "io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder").forEach {
            assertFailsWith<ClassNotFoundException> { Class.forName(it) }
        }
    }
}
