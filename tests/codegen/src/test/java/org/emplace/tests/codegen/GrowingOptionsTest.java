// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A release can add a value to options, bindings and reports without breaking programs that were compiled before; japicmp judges. */
final class GrowingOptionsTest {
    private static final Path RPC = Path.of("../../runtime-rdma/rpc/src/main/java");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CallOptions",
                "ConnectionOptions",
                "RpcProgram",
                "Procedure",
                "ProcedureBinding",
                "RdmaDevice",
                "ServerLoad",
                "CallObserver.CallReport",
                "ServerObserver.AnswerReport"
            })
    void aValueCanBeAdded(String name) throws IOException {
        String path = "org/emplace/rpc/" + name.replaceFirst("\\..*", "") + ".java";
        String simpleName = name.substring(name.indexOf('.') + 1);
        String now = Files.readString(RPC.resolve(path));
        Matcher declaration =
                Pattern.compile("final class (" + simpleName + "(<.*>)?) \\{").matcher(now);
        assertThat(declaration.find()).isTrue();
        String later = declaration.replaceFirst("""
                $0
                    /** A new value. */
                    public int more() {
                        return 0;
                    }

                    /** Changes it. */
                    public $1 withMore(int more) {
                        return this;
                    }
                """);

        assertThat(broken(path, now, later)).isFalse();
    }

    @Test
    void aRecordCannot() throws IOException {
        String now = "package p; /** Options. */ public record Options(int credits) {}";

        assertThat(broken("p/Options.java", now, now.replace("int credits", "int credits, int more")))
                .isTrue();
    }

    private boolean broken(String path, String now, String later) throws IOException {
        return !ComparedApiTest.brokenClasses(
                        ComparedApiTest.jar(Map.of(path, now), folder),
                        ComparedApiTest.jar(Map.of(path, later), folder))
                .isEmpty();
    }
}
