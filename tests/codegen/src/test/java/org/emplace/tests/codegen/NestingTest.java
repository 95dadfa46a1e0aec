// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.emplace.tests.codegen.constructs.Branch;
import org.emplace.tests.codegen.constructs.Drawer;
import org.emplace.tests.codegen.constructs.Folder;
import org.emplace.tests.codegen.constructs.Folders;
import org.emplace.tests.codegen.constructs.Term;
import org.emplace.tests.codegen.constructs.Tree;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.XdrCodec.Reader;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrValue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How deep values of recursive types nest. */
class NestingTest {

    /**
     * A recursive type.
     *
     * @param values the value with so many levels
     * @param innermost what its innermost level is encoded as
     * @param before what each other level adds before that
     * @param after what each other level adds after that
     */
    private record Recursive(
            String name,
            IntFunction<XdrValue> values,
            Reader<? extends XdrValue> reader,
            String innermost,
            String before,
            String after) {

        static final Recursive UNION =
                new Recursive("union", Recursive::term, Term::decode, "00000000 00000000", "00000002 00000001", "");

        static List<Recursive> all() {
            return List.of(
                    UNION,
                    new Recursive(
                            "optional",
                            Recursive::branch,
                            Branch::decode,
                            "00000000 00000000 00000000",
                            "00000000 00000001",
                            "00000000"),
                    new Recursive(
                            "array",
                            Recursive::tree,
                            Tree::decode,
                            "00000000 00000000 00000000",
                            "00000000 00000001",
                            "00000000"),
                    new Recursive(
                            "union of an array",
                            Recursive::terms,
                            Term::decode,
                            "00000000 00000000",
                            "00000001 00000001",
                            ""),
                    new Recursive(
                            "lists around their links",
                            Recursive::folders,
                            Folders::decode,
                            "00000001 00000000 00000000 00000000",
                            "00000001 00000000",
                            "00000000"));
        }

        XdrValue ofDepth(int levels) {
            return values.apply(levels);
        }

        XdrValue decode(int levels) throws XdrException {
            return Wire.value(before.repeat(levels - 1) + innermost + after.repeat(levels - 1), reader);
        }

        @Override
        public String toString() {
            return name;
        }

        private static XdrValue branch(int levels) {
            Branch value = new Branch(0, Optional.empty(), Optional.empty());
            for (int i = 1; i < levels; i++) {
                value = new Branch(0, Optional.of(value), Optional.empty());
            }
            return value;
        }

        private static XdrValue tree(int levels) {
            Tree value = new Tree(0, List.of(), Optional.empty());
            for (int i = 1; i < levels; i++) {
                value = new Tree(0, List.of(value), Optional.empty());
            }
            return value;
        }

        private static XdrValue term(int levels) {
            Term value = new Term.Case0(0);
            for (int i = 1; i < levels; i++) {
                value = new Term.Default(2, Optional.of(value));
            }
            return value;
        }

        private static XdrValue terms(int levels) {
            Term value = new Term.Case0(0);
            for (int i = 1; i < levels; i++) {
                value = new Term.Case1(List.of(value));
            }
            return value;
        }

        private static XdrValue folders(int levels) {
            List<Folder> folders = List.of();
            List<Drawer> drawers = List.of();
            for (int i = levels; i > 0; i--) {
                if (i % 2 == 1) {
                    folders = List.of(new Folder(drawers, 0));
                } else {
                    drawers = List.of(new Drawer(folders, 0));
                }
            }
            return new Folders(folders);
        }
    }

    private static List<Recursive> types() {
        return Recursive.all();
    }

    @ParameterizedTest
    @MethodSource("types")
    void whatCanBeEncodedCanBeDecoded(Recursive type) throws XdrException {
        XdrValue deepest = type.ofDepth(200);

        assertThat(type.decode(200)).isEqualTo(deepest);
        assertThat(Wire.hex(deepest)).isEqualTo(Wire.hex(type.decode(200)));
    }

    @ParameterizedTest
    @MethodSource("types")
    void whatIsTooDeepIsRejectedBothWays(Recursive type) {
        for (int levels : new int[] {201, 100_000}) {
            XdrValue tooDeep = type.ofDepth(levels);
            assertThatThrownBy(() -> Wire.hex(tooDeep))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("values nest deeper than 200 levels")
                    .hasMessageContaining("-Dorg.emplace.xdr.nesting");
            assertThatThrownBy(() -> type.decode(levels))
                    .isInstanceOf(XdrException.class)
                    .hasMessageContaining("values nest deeper than 200 levels");
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void manyValuesBesideEachOtherAreNotDeep(Recursive type) {
        XdrEncoder out = XdrEncoder.onHeap();
        XdrValue value = type.ofDepth(150);
        for (int i = 0; i < 10; i++) {
            value.encode(out);
        }
        EncodedMessage message = out.finish();
        XdrDecoder in = new XdrDecoder(message.stream());

        assertThatNoException().isThrownBy(() -> {
            for (int i = 0; i < 10; i++) {
                type.reader.read(in);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 500})
    void aPropertySetsTheLimit(int limit) throws Exception {
        String output = Deepest.found("-Dorg.emplace.xdr.nesting=" + limit);

        assertThat(output).isEqualTo(limit + " " + limit + "\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "many", "4294967297"})
    void aPropertyThatIsNoLimitLeavesTheDefault(String text) throws Exception {
        String output = Deepest.found("-Dorg.emplace.xdr.nesting=" + text);

        assertThat(output).endsWith("200 200\n");
        if (!text.isEmpty()) {
            assertThat(output).contains("-Dorg.emplace.xdr.nesting=" + text + " is not a positive number");
        }
    }

    /** Prints the most levels that a JVM encodes and decodes. */
    static final class Deepest {
        private static final int BEYOND = 1000;

        public static void main(String[] arguments) {
            System.out.println(
                    most(levels -> Wire.hex(Recursive.UNION.ofDepth(levels))) + " " + most(Recursive.UNION::decode));
        }

        /** What a JVM with this option prints, its log included. */
        static String found(String option) throws Exception {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xshare:auto", option));
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), Deepest.class.getName()));
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
            return output;
        }

        private static int most(Attempt attempt) {
            return Stream.iterate(1, levels -> levels + 1)
                    .takeWhile(levels -> levels < BEYOND && succeeds(attempt, levels))
                    .reduce(0, Math::max);
        }

        private static boolean succeeds(Attempt attempt, int levels) {
            try {
                attempt.with(levels);
                return true;
            } catch (IllegalArgumentException | XdrException tooDeep) {
                return false;
            }
        }

        private interface Attempt {
            void with(int levels) throws XdrException;
        }
    }
}
