// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.emplace.tests.codegen.random.JavaSources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GeneratedSourcesTest extends CompilerTest {
    /** Some of the definitions. The module emplace-tests-specs compiles all of them, without warnings too. */
    static List<List<Path>> specifications() {
        return List.of(
                List.of(SPEC.resolve("rpcrdma1.x")),
                List.of(SPEC.resolve("rpc.x")),
                List.of(SPEC.resolve("rpcb.x")),
                List.of(SPEC.resolve("nfs3.x"), SPEC.resolve("mount3.x")));
    }

    @ParameterizedTest
    @MethodSource("specifications")
    void specificationsCompileWithoutWarnings(List<Path> files) {
        assertThat(javac(generated(files.toArray(Path[]::new)))).isEmpty();
    }

    @Test
    void generatingTwiceGivesTheSameBytesWhateverTheOrderOfFiles() {
        Path nfs = SPEC.resolve("nfs3.x");
        Path mount = SPEC.resolve("mount3.x");
        assertThat(generated(CONSTRUCTS)).isEqualTo(generated(CONSTRUCTS));
        assertThat(generated(ALBUM)).isEqualTo(generated(ALBUM));
        assertThat(generated(nfs, mount)).isEqualTo(generated(mount, nfs));
    }

    @Test
    void aTypeIsInsideTheOneThatItIsWrittenIn() throws IOException {
        SortedMap<String, String> sources = generated("""
                union res switch (int status) { case 0: struct { int x; } ok; case 1: struct { int y; } data; default: void; };
                struct res_ok { int z; };
                const DATA = 2;
                union other switch (int status) { case DATA: struct { struct { int deep; } data; enum { A = 1 } kind; } data<>; };
                struct outer { struct { int x; } inner; struct { int y; } outer; struct { int z; } optional; };
                struct inner { outer it; };
                struct both { struct { inner *one; } inner; inner other; };
                typedef struct { int z; } several<4>;
                """);

        assertThat(javac(sources)).isEmpty();
        assertThat(sources.keySet())
                .containsExactlyInAnyOrder(
                        Stream.of("Res", "ResOk", "Other", "Outer", "Inner", "Both", "SeveralElement", "Constants")
                                .map(name -> "p/q/" + name + ".java")
                                .toArray(String[]::new));
        assertThat(sources.get("p/q/Res.java")).contains("record OkType(int x)", "record DataType(int y)");
        assertThat(sources.get("p/q/Other.java"))
                .contains(
                        "record DataType(DataType.Data data, DataType.Kind kind)",
                        "enum Kind",
                        "record Data(List<DataType> data)");
        assertThat(sources.get("p/q/Outer.java"))
                .contains("public record Outer(Outer.Inner inner, Outer.OuterType outer, Outer.OptionalType optional)");
    }

    @Test
    void aSidecarNamesATypeThatIsWrittenWhereItIsUsed() throws IOException {
        Path file = Files.writeString(folder.resolve("in.x"), """
                struct res { struct { opaque bytes<>; } ok; };
                program P { version V { res GET(int) = 1; } = 1; } = 0x20000099;
                """);
        Files.writeString(
                folder.resolve("in.ulb"), "item res.ok.bytes { eligible; size 4096 } type res.ok { name Okay }");

        assertThat(generated(file).get("p/q/Res.java")).contains("record Okay(Payload bytes)");
    }

    @Test
    void aSidecarSaysWhatTypesBecome() throws IOException {
        Path file = Files.writeString(folder.resolve("in.x"), """
                enum stat { OK = 0 };
                typedef opaque handle<64>;
                typedef unsigned int mask<>;
                enum bit { READ_BIT = 1 };
                struct s { stat status; handle h; mask m; };
                """);
        Files.writeString(folder.resolve("in.ulb"), """
                type stat { open }
                type handle { value }
                type mask { bits bit }
                constant READ_BIT { name MAY_READ }
                """);
        SortedMap<String, String> sources = generated(file);

        assertThat(javac(sources)).isEmpty();
        assertThat(sources.get("p/q/Stat.java")).contains("public sealed interface Stat");
        assertThat(sources.get("p/q/Handle.java")).contains("public record Handle(XdrOpaque value)");
        assertThat(sources.get("p/q/Mask.java")).contains("boolean contains(Bit bit)");
        assertThat(sources.get("p/q/Bit.java")).contains("MAY_READ(1)");
        assertThat(sources.get("p/q/S.java")).contains("public record S(Stat status, Handle h, Mask m)");
    }

    @Test
    void aClientHasOptionsAndEachCallIsWaitedForOrNot() throws IOException {
        SortedMap<String, String> sources =
                generated("program P { version V { hyper GET(int key) = 1; } = 1; } = 0x20000001;");

        assertThat(javac(sources)).isEmpty();
        assertThat(sources.get("p/q/P1Client.java"))
                .contains(
                        "public static P1Client on(RpcConnection connection) {",
                        "public CallOptions options() {",
                        "public P1Client with(CallOptions options) {\n        return new P1Client(connection, options);",
                        "public long get(int key) throws",
                        "return getAsync(key).await();",
                        "public RpcCall<Long> getAsync(int key) {",
                        "return connection.call(P1.GET, key, Destinations.none(), options);");
    }

    @Test
    void aRuntimeOfAnotherGenerationIsReportedBeforeAnythingOfItIsUsed() throws IOException {
        SortedMap<String, String> sources =
                new TreeMap<>(generated("program P { version V { void PUT(int) = 1; } = 1; } = 0x20000001;"));
        sources.computeIfPresent(
                "p/q/P1.java",
                (path, text) -> text.replace("requireGeneration(2,", "requireGeneration(1,")
                        .replace("536870913", "-1"));
        ClassLoader loader = JavaSources.compile(sources).loader();

        assertThatThrownBy(() -> Class.forName("p.q.P1", true, loader))
                .isInstanceOf(IncompatibleClassChangeError.class)
                .hasMessageContaining("P1 was generated for generation 1")
                .hasMessageContaining("generate again");
        assertThatThrownBy(() -> Class.forName("p.q.P1", true, loader))
                .as("a later use")
                .isInstanceOf(NoClassDefFoundError.class)
                .hasStackTraceContaining("P1 was generated for generation 1");
    }

    @Test
    void theSizeOfAResultMayComeFromAnOptionalNumberOfAnElement() throws IOException {
        SortedMap<String, String> sources = generated("""
                typedef unsigned int count;
                union limit switch (bool is_set) { case TRUE: count most; case FALSE: void; };
                struct part { limit size; };
                struct parts { part all<>; };
                struct piece { /*@ddp eligible as result; size args.all[i].size.most */ opaque data<>; };
                struct pieces { piece all<>; };
                program P { version V { pieces GET(parts) = 1; } = 1; } = 0x20000099;
                """);

        assertThat(javac(sources)).isEmpty();
        assertThat(sources.get("p/q/P1.java")).contains("""
                        Part each = args.all().get(index);
                        return each.size().isPresent() ? each.size().getAsLong() : ResultOrder.ABSENT;
                """);
    }

    @Test
    void aProgramSaysWhatItsBindingSaysOfConnections() throws IOException {
        SortedMap<String, String> sources = generated("""
                program FILE_PROGRAM {
                    /*@ddp port 20200; inline-threshold 16384 */
                    version V { void FILE_PROGRAM(int) = 1; } = 2;
                } = 0x20000001;
                """);

        assertThat(sources.get("p/q/File2.java")).contains("""
                    public static final RpcProgram PROGRAM = RpcProgram.of("FILE_PROGRAM", 536870913, 2)
                            .withRdmaPort(20200)
                            .withInlineThreshold(16384);
                """);
        assertThat(javac(sources)).isEmpty();
    }

    @Test
    void anOpaqueIsMadeOfTextOnlyIfItsClauseSaysThatItIsText() throws IOException {
        SortedMap<String, String> sources = generated("""
                /*@ddp value */
                typedef opaque handle<64>;
                /*@ddp value */
                typedef opaque utf8_name<>;
                typedef opaque utf8string<>;
                /*@ddp value text */
                typedef utf8string component;
                """);

        assertThat(sources.get("p/q/Handle.java")).contains("of(byte... bytes)").doesNotContain("of(String");
        assertThat(sources.get("p/q/Utf8Name.java")).doesNotContain("of(String");
        assertThat(sources.get("p/q/Component.java")).contains("of(byte... bytes)", "of(String text)");
    }

    @Test
    void theSourcesOfAProtocolWithoutProgramsNeedTheXdrPackageAlone() {
        assertThat(generated(SPEC.resolve("rpcrdma1.x")).values()).noneMatch(text -> text.contains("org.emplace.rpc"));
        assertThat(generated(SPEC.resolve("rpc.x")).values()).noneMatch(text -> text.contains("org.emplace.rpc"));
    }
}
