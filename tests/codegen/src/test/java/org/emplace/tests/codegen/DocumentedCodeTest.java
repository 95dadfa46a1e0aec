// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.emplace.compiler.CompileRequest;
import org.emplace.compiler.CompileRequest.Source;
import org.emplace.compiler.XdrCompiler;
import org.emplace.tests.codegen.random.JavaSources;
import org.junit.jupiter.api.Test;

/** The generated code in docs/generated-code.md is what the compiler generates, and the page's code for users compiles against it. */
class DocumentedCodeTest {
    private static final Path PAGE = Path.of("../../docs/generated-code.md");
    private static final Path NFS3 = Path.of("../../spec/nfs3.x");
    private static final Path NFS41 = Path.of("../../spec/nfs41.x");
    private static final Path NOTICES = Path.of("../../samples/notices/src/main/xdr/notices.x");
    private static final boolean HAS_PATTERN_SWITCH = Runtime.version().feature() >= 21;
    private static final String IMPORTS = """
            package p;
            import java.nio.ByteBuffer;
            import java.util.List;
            import org.emplace.rpc.*;
            import org.emplace.xdr.*;
            """;

    @Test
    void theSwitchOverAUnionCompilesFromJava21OnAndForgetsNoArm() throws IOException {
        String shown = block("switch (result)");
        String messages = javac(NFS3, text("Lookup3Res result", shown));
        String without =
                javac(NFS3, text("Lookup3Res result", shown.replaceFirst("(?m)^ *case Lookup3Res.Default.*\n", "")));

        if (HAS_PATTERN_SWITCH) {
            assertThat(messages).isEmpty();
            assertThat(without).contains("does not cover all possible input values");
        } else {
            assertThat(messages).contains("patterns in switch");
        }
    }

    @Test
    void theSwitchOverAnOpenEnumCompilesFromJava21On() throws IOException {
        String example = text("Nfsstat4 status", block("switch (status)"));

        if (HAS_PATTERN_SWITCH) {
            assertThat(javac(NFS41, example)).isEmpty();
        } else {
            assertThat(JavaSources.compile(Map.of("p/Example.java", example)).messages())
                    .contains("patterns in switch");
        }
    }

    @Test
    void whatIsShownOfGeneratedClassesIsGenerated() throws IOException {
        String generated = Stream.of(NFS3, NFS41)
                .flatMap(file -> generated(file).values().stream())
                .map(source -> source.replaceAll("\\s+", " ").replace("( ", "("))
                .collect(Collectors.joining("\n"));
        List<String> declarations = blocks().stream()
                .filter(block -> block.startsWith("public "))
                .map(block -> block.substring(0, block.lastIndexOf("\n}")))
                .flatMap(String::lines)
                .map(line -> line.replaceFirst("//.*|/\\*\\*.*", "")
                        .replaceFirst("( = \\.\\.\\.)?;.*|\\{.*", "")
                        .strip())
                .filter(line -> !line.isEmpty() && !line.equals("}") && !line.equals("..."))
                .toList();

        assertThat(declarations).hasSizeGreaterThan(40).allMatch(generated::contains);
    }

    @Test
    void callsAndServersOfOperationsCompile() throws IOException {
        List<String> server = List.of(block("class Files").split("\n\n(?=RpcService)", 2));
        assertThat(javac(
                        NFS41,
                        IMPORTS
                                + """
                class Example {
                    static class Current {}
                    void call(Nfs4Client nfs, XdrOpaque tag, Sessionid4 session, Component4 name, Stateid4 state, ByteBuffer buffer)
                            throws Exception {
                        %s
                    }
                    %s
                    void serve() {
                        %s
                    }
                    void bits() {
                        %s
                    }
                }
                """.formatted(
                                        block("nfs.compound"),
                                        server.get(0)
                                                .replace("{ ... }", "{ throw new UnsupportedOperationException(); }"),
                                        server.get(1),
                                        block("Bitmap4 wanted").replaceFirst("(?s).*(?=Bitmap4 wanted)", ""))))
                .isEmpty();
    }

    @Test
    void serversThatCallTheirClientsBackCompile() throws IOException {
        List<String> ends = List.of(block("enableBackwardCalls").split("\n\n", 2));
        assertThat(javac(NOTICES, IMPORTS + """
                class Example {
                    static void client(RpcClient client, Board1Client board, Reader1Server reader, long seen) throws Exception {
                        %s
                    }
                    private Reader1Client reader;
                    %s
                    Reader1Client reader() {
                        return reader;
                    }
                }
                """.formatted(ends.get(0), ends.get(1))))
                .isEmpty();
    }

    /** A class with a method that converts a value to text, as on the page. */
    private static String text(String parameter, String shown) {
        return """
                package p;
                class Example {
                    static String example(%s) {
                        %s
                        return text;
                    }
                }
                """.formatted(parameter, shown);
    }

    /** The page's code block that contains a text. */
    private static String block(String text) throws IOException {
        return blocks().stream()
                .filter(block -> block.contains(text))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> blocks() throws IOException {
        return Pattern.compile("(?s)```java\n(.*?)```")
                .matcher(Files.readString(PAGE))
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    private static String javac(Path definition, String example) {
        SortedMap<String, String> sources = new TreeMap<>(generated(definition));
        sources.put("p/Example.java", example);
        return JavaSources.compile(sources).messages();
    }

    private static SortedMap<String, String> generated(Path definition) {
        Source source = new Source(definition, definition.getFileName().toString());
        return XdrCompiler.compile(new CompileRequest(List.of(source), "p")).generated();
    }
}
