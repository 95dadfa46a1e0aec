// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.emplace.compiler.CompileRequest;
import org.emplace.compiler.CompileRequest.Source;
import org.emplace.compiler.XdrCompiler;
import org.emplace.tests.codegen.random.JavaSources;
import org.junit.jupiter.api.Test;

/** The code that docs/generated-code.md shows to users compiles against what is generated. */
class DocumentedCodeTest {
    private static final Path PAGE = Path.of("../../docs/generated-code.md");
    private static final Path NFS3 = Path.of("../../spec/nfs3.x");

    @Test
    void theSwitchOverAUnionCompilesFromJava21OnAndForgetsNoArm() throws IOException {
        String shown = block("switch (result)");
        String messages = javac("""
                package p;
                class Example {
                    static String example(Lookup3Res result) {
                        %s
                        return text;
                    }
                }
                """.formatted(shown));
        String without = javac("""
                package p;
                class Example {
                    static String example(Lookup3Res result) {
                        %s
                        return text;
                    }
                }
                """.formatted(shown.replaceFirst("(?m)^ *case Lookup3Res.Default.*\n", "")));

        if (Runtime.version().feature() < 21) {
            assertThat(messages).contains("patterns in switch");
        } else {
            assertThat(messages).isEmpty();
            assertThat(without).contains("does not cover all possible input values");
        }
    }

    /** The code block of the page that contains a text. */
    private static String block(String text) throws IOException {
        return Pattern.compile("(?s)```java\n(.*?)```")
                .matcher(Files.readString(PAGE))
                .results()
                .map(block -> block.group(1))
                .filter(block -> block.contains(text))
                .findFirst()
                .orElseThrow();
    }

    private static String javac(String example) {
        SortedMap<String, String> sources =
                new TreeMap<>(XdrCompiler.compile(new CompileRequest(List.of(new Source(NFS3, "nfs3.x")), "p"))
                        .generated());
        sources.put("p/Example.java", example);
        return JavaSources.compile(sources).messages();
    }
}
