// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The Javadoc and comments of generated sources. */
class GeneratedJavadocTest extends CompilerTest {
    @Test
    void linesAreAsLongAsPeopleWriteThem() {
        Stream.of(CONSTRUCTS, ALBUM, SPEC.resolve("nfs41.x"))
                .forEach(file -> generated(file)
                        .forEach((path, text) -> assertThat(text.lines())
                                .as(path)
                                .allMatch(line -> line.length() <= 120)
                                .noneMatch(line -> line.endsWith(" "))));
    }

    @Test
    void aServerSaysOfPayloadsAndOfTheProcedureThatDoesNothingOnlyWhatItsProgramHas() throws IOException {
        SortedMap<String, String> sources = generated("""
                struct put { /*@ddp eligible */ opaque data<>; };
                program WITH { version V { void WITH_NULL(void) = 0; void PUT(put) = 1; } = 1; } = 0x20000001;
                program WITHOUT { version V { void PUT(int) = 1; } = 1; } = 0x20000002;
                """);

        assertThat(sources.get("p/q/With1Server.java"))
                .contains(
                        "Payloads in arguments may be used until the method returns.",
                        "There is no method for {@code WITH_NULL}: the runtime answers it.");
        assertThat(sources.get("p/q/Without1Server.java")).doesNotContain("Payloads", "There is no method");
    }

    @Test
    void aCommentWithALineThatIsTooLongIsFilledUp() throws IOException {
        String word = "x".repeat(9) + " ";
        assertThat(generated("/*\n * " + word.repeat(12) + "\n * first " + word.repeat(10)
                                + "\n * second\n * - a list\n *\n * third\n */\nstruct s { int a; };")
                        .get("p/q/S.java"))
                .contains("\n * " + word.repeat(11).strip() + "\n * " + word + "first "
                        + word.repeat(10).strip() + "\n * second\n * - a list\n *\n * <p>third\n");
    }

    @Test
    void commentsCannotBreakOutOfJavadoc() throws IOException {
        assertThat(javac(generated("""
                        /* \\u002a\\u002f Not <b>markup</b> & not {@link a tag}
                         * @see nothing
                         */
                        struct s {
                            int a; /* {@code \\uzzzz } */
                        };
                        """))).isEmpty();
    }

    @Test
    void javadocStatesWhatTheJavaTypesOfComponentsDoNot() throws IOException {
        SortedMap<String, String> sources = generated("""
                struct s {
                    unsigned int count;      /* bytes wanted */
                    unsigned hyper offset;
                    opaque token[4];
                    string name<8>;
                    unsigned int *limit;
                    int levels<3>;
                    unsigned int ports<5>;
                    unsigned int most<1>;
                    bool eof;
                    /*@ddp eligible */
                    opaque data<4096>;
                };
                program P { version V { void P_PUT(s) = 1; } = 1; } = 0x20000099;
                """);

        assertThat(sources.get("p/q/S.java"))
                .contains(
                        "@param count bytes wanted (an unsigned 32-bit integer)",
                        "@param offset an unsigned 64-bit integer: 2<sup>63</sup> and above are negative",
                        "@param token exactly 4 bytes",
                        "@param name at most 8 bytes",
                        "@param limit an unsigned 32-bit integer",
                        "@param levels at most 3 elements",
                        "@param ports at most 5 elements, each an unsigned 32-bit integer",
                        "@param most at most 1 element, an unsigned 32-bit integer",
                        "@param data DDP-eligible, at most 4096 bytes")
                .doesNotContain("@param eof");
    }

    @Test
    void anOperationIsDescribedByTheCommentOnItsArm() {
        SortedMap<String, String> sources = generated(ALBUM);

        assertThat(sources.get("p/q/Album2EditCall.java")).contains("""
                    /**
                     * Opens an album.
                     *
                     * <p>Adds {@code DO_OPEN}.
                     *
                     * @param name at most 64 bytes
                     */
                """);
        assertThat(sources.get("p/q/Album2EditOperations.java")).contains("""
                    /**
                     * Opens an album.
                     *
                     * <p>Answers {@code DO_OPEN}.
                     */
                """);
    }

    @Test
    void destinationsOfOneKindAreToldApartByTheWayToTheirItems() {
        assertThat(generated(ALBUM).get("p/q/Frame1Client.java"))
                .contains(
                        "@param pixels where the DDP-eligible {@code photo.pixels} goes",
                        "@param leftPixels where the DDP-eligible {@code left.pixels} goes",
                        "@param rightPixels where the DDP-eligible {@code right.pixels} goes");
    }

    @Test
    void argumentsOfOneProcedureHaveTheirBoundsInTheirRecord() throws IOException {
        assertThat(generated("program P { version V { void PUT(string name<8>, int count) = 1; } = 1; } = 0x20000001;")
                        .get("p/q/P1.java"))
                .contains("""
                            /**
                             * All arguments of {@code PUT}, in order.
                             *
                             * @param name at most 8 bytes
                             */
                            public record PutArgs(XdrString name, int count) implements XdrValue {
                        """);
    }

    @Test
    void everyGeneratedFileSaysWhereItComesFrom() {
        assertThat(generated(CONSTRUCTS).values())
                .allMatch(text -> text.startsWith("// Code generated by xdrc from constructs.x. DO NOT EDIT.\n"));
    }

    @Test
    void aDefinitionSaysWhichOneOfItsFileItIs() throws IOException {
        SortedMap<String, String> sources = generated("""
                /* Where to look. */
                struct point { int x; };
                enum color { RED = 1 };
                union shape switch (color c) { case RED: point at; };
                /*@ddp value */ typedef opaque handle<8>;
                program P {
                    version V {
                        void P_PUT(point) = 1;
                    } = 1;
                } = 0x20000099;
                # 70 "folder/old.x"
                struct older { int x; };
                """);

        assertThat(sources.get("p/q/Point.java"))
                .contains(
                        " * Where to look.\n *\n * <p>From {@code point} in test.x.\n *\n * <pre>{@code\n * struct point {\n");
        assertThat(sources.get("p/q/Color.java")).contains(" * <p>From {@code color} in test.x.\n");
        assertThat(sources.get("p/q/Shape.java")).contains(" * <p>From {@code shape} in test.x.\n");
        assertThat(sources.get("p/q/Handle.java")).contains(" * <p>From {@code handle} in test.x.\n");
        assertThat(sources.get("p/q/P1.java"))
                .contains("\n * <p>From {@code V} in test.x.\n", "\n     * <p>From {@code P_PUT} in test.x.\n");
        assertThat(sources.get("p/q/Older.java")).contains(" * <p>From {@code older} in old.x.\n");
    }

    /** So that a diff of generated code shows what a change of the protocol means. */
    @Test
    void commentsElsewhereChangeNoGeneratedFile() throws IOException {
        for (String file : List.of("nfs3.x", "nfs42.x", "rpcb.x")) {
            String text = Files.readString(SPEC.resolve(file));

            assertThat(generated("/* One more line. */\n\n// And another.\n\n" + text + "\n\n/* The end. */\n"))
                    .as(file)
                    .isEqualTo(generated(text));
        }
    }
}
