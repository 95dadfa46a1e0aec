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
import org.junit.jupiter.api.io.TempDir;

/** The programs on the pages of docs/ compile against the runtime and the generated code of their protocols. */
class DocumentedProgramsTest {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)\n(.*?)^```$");
    private static final Path PAGES = Path.of("../../docs");
    private static final Path ALBUM = Path.of("../../samples/starter/src/main/xdr/album.x");
    private static final String ALBUM_STATE = """
            static Album1Client album;
            static Picture picture;
            static Caption title;
            static ByteBuffer pixels;
            static Map<Caption, ByteBuffer> pictures;
            static RpcConnection connection;
            static URI address;
            static void retryLater(Picture picture) {}
            static void askWhetherItRan(Picture picture) {}
            """;
    private static final String BLOB_STATE = "static void use(byte[] data) {}";

    @TempDir
    private Path folder = Path.of("");

    @Test
    void ofErrorsAndRecovery() throws IOException {
        assertThat(compiled("errors-and-recovery.md", ALBUM, ALBUM_STATE)).isEqualTo(4);
    }

    @Test
    void ofBuffersAndMemory() throws IOException {
        assertThat(compiled("buffers-and-memory.md", ALBUM, ALBUM_STATE)).isEqualTo(4);
    }

    @Test
    void ofTheMigration() throws IOException {
        Path definition = folder.resolve("blob.x");
        Files.writeString(definition, blocks("migrating.md", "c").get(0));

        assertThat(compiled("migrating.md", definition, BLOB_STATE)).isEqualTo(2);

        Files.writeString(folder.resolve("blob.ulb"), blocks("migrating.md", "").get(0));
        assertThat(generated(definition).get("p/Blob.java")).contains("Payload data");
    }

    /** Compiles each Java block of a page alone, as a method or a method's body. Returns the number of blocks. */
    private static int compiled(String page, Path definition, String state) throws IOException {
        List<String> blocks = blocks(page, "java");
        for (String block : blocks) {
            SortedMap<String, String> sources = new TreeMap<>(generated(definition));
            String method =
                    block.startsWith("public ") ? block : "static void example() throws Exception {\n" + block + "}\n";
            sources.put("p/Example.java", """
                    package p;
                    import java.net.URI;
                    import java.nio.ByteBuffer;
                    import java.time.Duration;
                    import java.util.*;
                    import java.util.concurrent.*;
                    import org.emplace.*;
                    import org.emplace.rpc.*;
                    import org.emplace.xdr.*;
                    class Example {
                    %s
                    %s
                    }
                    """.formatted(state, method));
            assertThat(JavaSources.compile(sources).messages()).as(block).isEmpty();
        }
        return blocks.size();
    }

    private static SortedMap<String, String> generated(Path definition) {
        Source source = new Source(definition, definition.getFileName().toString());
        return XdrCompiler.compile(new CompileRequest(List.of(source), "p")).generated();
    }

    private static List<String> blocks(String page, String language) throws IOException {
        return BLOCK.matcher(Files.readString(PAGES.resolve(page)))
                .results()
                .filter(block -> block.group(1).equals(language))
                .map(block -> block.group(2))
                .toList();
    }
}
