package burraco.examples

import java.io.File
import kotlin.test.Test
import kotlin.test.assertEquals

class ReadmeTest {
    @Test
    fun `the quick start is the one that compiles`() {
        val readme = between(File("../README.md").readText(), "```kotlin\n", "```")
        val source = File("src/main/kotlin/burraco/examples/QuickStart.kt").readText()
        assertEquals(between(source, "    // begin\n", "    // end").trimIndent() + "\n", readme)
    }

    private fun between(text: String, begin: String, end: String): String {
        check(begin in text && end in text.substringAfter(begin)) { "there is nothing between $begin and $end" }
        return text.substringAfter(begin).substringBefore(end)
    }
}
