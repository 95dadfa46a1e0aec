// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.compiler.Sources.codes;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.emplace.compiler.diagnostic.DiagnosticRenderer;
import org.emplace.compiler.source.SourceFile;
import org.junit.jupiter.api.Test;

/** Whatever is compiled, the compiler ends with diagnostics: no stack overflows, no endless search. */
class HostileInputTest {

    private static final int MANY = 5_000;

    @Test
    void deeplyNestedBracesAreRefused() {
        assertThat(codes("struct a {".repeat(MANY))).containsExactly("E105");
    }

    @Test
    void countlessInvalidClausesAreRejected() {
        String separators = ";".repeat(1_000_000);

        assertThat(XdrCompiler.analyze(List.of(
                                new SourceFile("a.x", "struct s { /*@ddp " + separators + " */ int x; };"),
                                new SourceFile("a.ulb", "}".repeat(1_000_000)),
                                new SourceFile("b.ulb", "item s.x {" + separators + "}")))
                        .diagnostics())
                .hasSize(300)
                .allMatch(diagnostic -> diagnostic.code().equals("E303"));
    }

    @Test
    void manyMisplacedClausesAreRejected() {
        String members = IntStream.range(0, MANY)
                .mapToObj(i -> "int /*@ddp eligible */ /*@ddp eligible */ m" + i + ";")
                .collect(Collectors.joining("\n"));

        assertThat(codes("struct s {" + members + "};")).contains("E301");
    }

    @Test
    void aLongChainOfTypesIsRefused() {
        String chain = IntStream.range(0, MANY)
                .mapToObj(i -> "struct s" + i + " { s" + (i + 1) + " *next; };")
                .collect(Collectors.joining("\n"));

        assertThat(codes(chain + "struct s" + MANY + " { int x; };")).containsExactly("E216");
    }

    @Test
    void aLongChainOfConstantsIsResolved() {
        String chain = IntStream.range(0, MANY)
                .mapToObj(i -> "const C" + i + " = C" + (i + 1) + ";")
                .collect(Collectors.joining("\n"));

        assertThat(codes(chain + "const C" + MANY + " = 1;")).isEmpty();
    }

    @Test
    void anEnormousEnumWithoutNumbersIsRefused() {
        String names = IntStream.range(0, MANY).mapToObj(i -> "E" + i).collect(Collectors.joining(","));

        assertThat(codes("enum e {" + names + "};")).containsExactly("E220", "N125");
    }

    @Test
    void aLongCircleOfTypedefsIsRefused() {
        String circle = IntStream.range(0, MANY)
                .mapToObj(i -> "typedef t" + (i + 1) % MANY + " t" + i + ";")
                .collect(Collectors.joining("\n"));

        assertThat(codes(circle)).contains("E210");
    }

    @Test
    void countlessPathsToAnItemAreRejected() {
        String doubling = IntStream.range(0, 60)
                .mapToObj(i -> "struct s" + i + " { s" + (i + 1) + " a; s" + (i + 1) + " b<1>; };")
                .collect(Collectors.joining("\n"));

        assertThat(codes(doubling
                        + "struct s60 { /*@ddp eligible */ opaque data<8>; };"
                        + "program P { version V { void PUT(s0) = 1; } = 1; } = 1;"))
                .contains("E318");
    }

    @Test
    void typesThatAllReferToEachOtherEndTheSearch() {
        String clique = IntStream.range(0, 30)
                .mapToObj(i -> "struct s" + i + " {"
                        + IntStream.range(0, 30)
                                .mapToObj(j -> "s" + j + " *m" + j + ";")
                                .collect(Collectors.joining())
                        + (i == 0 ? "/*@ddp eligible */ opaque data<8>;" : "")
                        + "};")
                .collect(Collectors.joining("\n"));

        assertThat(codes(clique + "program P { version V { void PUT(s0) = 1; } = 1; } = 1;"))
                .contains("E318");
    }

    @Test
    void macrosThatDoubleAreRefused() {
        String doubling = IntStream.range(0, 100)
                .mapToObj(i -> "#define M" + i + " M" + (i + 1) + " M" + (i + 1))
                .collect(Collectors.joining("\n"));

        assertThat(codes(doubling + "\n#if M0\n#endif\n")).contains("E118");
        assertThat(codes(doubling + "\n#define M100\nM0\n")).contains("E118");
    }

    @Test
    void aLongChainOfMacrosIsRefused() {
        String chain = IntStream.range(0, MANY)
                .mapToObj(i -> "#define M" + i + " M" + (i + 1))
                .collect(Collectors.joining("\n"));

        assertThat(codes(chain + "\nconst C = M0;")).contains("E118");
    }

    @Test
    void aLineMarkerOfEscapesAloneIsRead() {
        assertThat(codes("# 1 \"" + "\\\"\\303\\251".repeat(MANY) + "\"\n"
                        + "# 2 \"" + "\\303\\251".repeat(MANY) + "\"\n"
                        + "# 3 \"" + "\\\"".repeat(MANY) + "\"\n"
                        + "typedef int t;"))
                .containsOnly("N120");
    }

    @Test
    void filesThatIncludeThemselvesManyTimesAreRefused() {
        assertThat(codes("#include \"test.x\"\n#include \"test.x\"\n")).containsExactly("N120", "E113");
    }

    @Test
    void deeplyNestedConditionsAreRefused() {
        assertThat(codes("#if " + "(".repeat(MANY) + "\n#endif")).containsExactly("N120", "E115");
        assertThat(codes("#if 1\n".repeat(MANY) + "const C = 1;\n" + "#endif\n".repeat(MANY)))
                .containsExactly("N120");
    }

    @Test
    void manyErrorsAreReportedInOnePass() {
        String types = IntStream.range(0, 6 * MANY)
                .mapToObj(i -> "typedef unknown" + i + " known" + i + ";")
                .collect(Collectors.joining("\n"));
        SourceFile file = new SourceFile("test.x", types);
        DiagnosticRenderer renderer = new DiagnosticRenderer(List.of(file));

        assertThat(XdrCompiler.analyze(List.of(file)).diagnostics().stream().map(renderer::render))
                .hasSize(6 * MANY)
                .allMatch(text -> text.contains("typedef"));
    }

    @Test
    void anyMixtureOfTokensIsDiagnosed() {
        String[] tokens = {
            "struct",
            "union",
            "enum",
            "typedef",
            "const",
            "program",
            "version",
            "switch",
            "case",
            "default",
            "void",
            "int",
            "opaque",
            "string",
            "{",
            "}",
            "(",
            ")",
            "[",
            "]",
            "<",
            ">",
            "*",
            ",",
            ";",
            ":",
            "=",
            "5",
            "-1",
            "0x",
            "name",
            "TRUE",
            "/*@ddp eligible */",
            "/*@ddp",
            "*/",
            "unsigned",
            "bool",
            "\n",
            "%",
            "\n#if 1",
            "\n#endif\n",
            "\n#define name",
            "\u0000",
            "\ud83d\ude00"
        };
        Random random = new Random(4506);
        for (int run = 0; run < 300; run++) {
            String text =
                    random.ints(60, 0, tokens.length).mapToObj(i -> tokens[i]).collect(Collectors.joining(" "));
            assertThat(codes(text)).as(text).isNotNull();
        }
    }
}
