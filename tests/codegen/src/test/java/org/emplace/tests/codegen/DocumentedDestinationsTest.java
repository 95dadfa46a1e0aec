// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcService;
import org.emplace.tests.codegen.random.JavaSources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The protocol and the calls of the section "Destinations" in docs/generated-code.md, compiled and run. */
class DocumentedDestinationsTest extends CompilerTest {
    private static final Path PAGE = Path.of("../../docs/generated-code.md");
    private static final Pattern SECTION = Pattern.compile("(?s)\n### Destinations\n(.*?)\n### ");

    /** Makes the calls of the page, which use its variables, and serves them. */
    private static final String EXAMPLE = """
            package p.q;
            import java.nio.ByteBuffer;
            import java.util.*;
            import org.emplace.rpc.*;
            import org.emplace.xdr.*;
            public final class Example implements Gallery1Server {
                private static final XdrString sea = XdrString.of("sea");
                private static final XdrString hills = XdrString.of("hills");
                private static final XdrString town = XdrString.of("town");

                public static RpcService service() {
                    return Gallery1Server.service(new Example());
                }

                @Override
                public Pictures get(WantedPictures args, ServerCall call) {
                    return new Pictures(args.all().stream()
                            .map(each -> Optional.of(each).filter(it -> !it.name().equals(hills))
                                    .map(it -> new Picture(1, bytes(it.name().toString().charAt(0), 50_000))))
                            .toList());
                }

                @Override
                public Planes planes(XdrString title, ServerCall call) {
                    return new Planes(
                            List.of(new Strip(bytes('a', 9000)), new Strip(bytes('b', 65536))),
                            List.of(new Strip(bytes('c', 3)), new Strip(bytes('d', 5000))));
                }

                @Override
                public History history(XdrString title, ServerCall call) {
                    return new History(List.of(
                            new Edition(3, bytes('3', 60_000)),
                            new Edition(2, bytes('2', 1001)),
                            new Edition(1, bytes('1', 7000))));
                }

                private static Payload bytes(char value, int length) {
                    byte[] bytes = new byte[length];
                    Arrays.fill(bytes, (byte) value);
                    return Payload.of(ByteBuffer.allocateDirect(length).put(bytes).flip());
                }

                private static ByteBuffer buffer() {
                    return ByteBuffer.allocateDirect(65536);
                }

                /** The bytes that a buffer begins with, all the same, and their number. */
                private static String content(ByteBuffer buffer) {
                    int length = 0;
                    while (length < buffer.capacity() && buffer.get(length) == buffer.get(0) && buffer.get(0) != 0) {
                        length++;
                    }
                    return length + "x" + (char) buffer.get(0);
                }

                public static String batchGet(RpcConnection connection) throws Exception {
                    Gallery1Client gallery = Gallery1Client.on(connection);
                    ByteBuffer seaPixels = buffer();
                    ByteBuffer hillsPixels = buffer();
                    ByteBuffer townPixels = buffer();
                    %s
                    return isThere + " " + content(seaPixels) + " " + content(townPixels);
                }

                public static String scatterRead(RpcConnection connection) throws Exception {
                    Gallery1Client gallery = Gallery1Client.on(connection);
                    ByteBuffer upper = buffer();
                    ByteBuffer lower = buffer();
                    ByteBuffer upperColor = buffer();
                    ByteBuffer lowerColor = buffer();
                    %s
                    return planes.luma().size() + " " + content(upper) + " " + content(lower) + " " + content(upperColor)
                            + " " + content(lowerColor);
                }

                public static String list(RpcConnection connection) throws Exception {
                    Gallery1Client gallery = Gallery1Client.on(connection);
                    ByteBuffer newest = buffer();
                    ByteBuffer previous = buffer();
                    %s
                    return count + " " + content(newest) + " " + content(previous) + " "
                            + content(history.editions().get(2).pixels().buffer());
                }
            }
            """;

    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp"})
    void eachResultOfThePagesCallsIsInItsOwnBuffer(String transport) throws Exception {
        Class<?> example = example();
        RpcService service = (RpcService) example.getMethod("service").invoke(null);
        try (RpcServer server = RpcServer.builder()
                        .service(service)
                        .listen(URI.create(transport + "://127.0.0.1:0"))
                        .start();
                RpcConnection connection = Rpc.connect(
                        URI.create(transport + "://127.0.0.1:"
                                + server.addresses().get(0).getPort()),
                        ConnectionOptions.DEFAULT)) {
            assertThat(called(example, "batchGet", connection)).isEqualTo("true 50000xs 50000xt");
            assertThat(called(example, "scatterRead", connection)).isEqualTo("2 9000xa 65536xb 3xc 5000xd");
            assertThat(called(example, "list", connection)).isEqualTo("3 60000x3 1001x2 7000x1");
        }
    }

    private static Object called(Class<?> example, String method, RpcConnection connection) throws Exception {
        return example.getMethod(method, RpcConnection.class).invoke(null, connection);
    }

    private Class<?> example() throws Exception {
        String section = SECTION.matcher(Files.readString(PAGE))
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
        SortedMap<String, String> sources = new TreeMap<>(generated(blocks(section, "c")));
        sources.put("p/q/Example.java", EXAMPLE.formatted((Object[])
                blocks(section, "java").split("\0")));
        JavaSources.Compiled compiled = JavaSources.compile(sources);
        assertThat(compiled.messages()).isEmpty();
        return compiled.loader().loadClass("p.q.Example");
    }

    private static String blocks(String section, String language) {
        return Pattern.compile("(?s)```" + language + "\n(.*?)```")
                .matcher(section)
                .results()
                .map(block -> block.group(1))
                .collect(Collectors.joining("\0"));
    }
}
