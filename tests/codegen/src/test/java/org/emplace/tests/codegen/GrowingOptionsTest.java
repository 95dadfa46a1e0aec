// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A release can add an option without breaking programs that were written or compiled before; japicmp judges. */
final class GrowingOptionsTest {
    private static final Path RPC = Path.of("../../runtime-rdma/rpc/src/main/java");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"CallOptions", "ConnectionOptions"})
    void optionsCanGrow(String name) throws IOException {
        String path = "org/emplace/rpc/" + name + ".java";
        String now = Files.readString(RPC.resolve(path));
        String later = now.substring(0, now.lastIndexOf('}')) + """
                    /** A new option. */
                    public int more() {
                        return 0;
                    }

                    /** Changes it. */
                    public %s withMore(int more) {
                        return this;
                    }
                }
                """.formatted(name);

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
