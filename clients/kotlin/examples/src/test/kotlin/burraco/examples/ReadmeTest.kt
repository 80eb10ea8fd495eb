package burraco.examples

import java.io.File
import kotlin.test.Test
import kotlin.test.assertEquals

class ReadmeTest {
    private val readme = File("../README.md").readText()

    @Test
    fun `the quick start is the one that compiles`() =
        assertEquals(File("src/main/kotlin/QuickStart.kt").readText(), between(readme, "```kotlin\n", "```"))

    @Test
    fun `the quick start takes these versions`() {
        val project = File("../pom.xml").readText()
        val dependency = between(readme, "<dependency>", "</dependency>")
        val plugin = between(readme, "<plugin>", "</plugin>")
        assertEquals(version(project), version(dependency))
        assertEquals(between(project, "<kotlin.version>", "</kotlin.version>"), version(plugin))
    }

    private fun version(text: String) = between(text, "<version>", "</version>")

    private fun between(text: String, begin: String, end: String): String {
        check(begin in text && end in text.substringAfter(begin)) { "there is nothing between $begin and $end" }
        return text.substringAfter(begin).substringBefore(end)
    }
}
