// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.emplace.compiler.CompileRequest;
import org.emplace.compiler.CompileResult;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.tests.codegen.random.JavaSources;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * javac compiles the code of the largest definitions that the compiler accepts. For larger ones the compiler reports one error, at the
 * definition.
 */
class JavaLimitsTest {

    /** The step between wire values, large so that each takes a constant of its own, which takes the most room. */
    private static final int STEP = 700_001;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    static List<Arguments> definitions() {
        return List.of(
                limit(
                        "enumerators",
                        3000,
                        "E220",
                        many -> "enum e {" + list(many, i -> "E" + i + " = " + i * STEP) + "};"),
                limit("members", 254, "E220", many -> "struct s {" + lines(many, i -> "string m" + i + "<9>;") + "};"),
                limit(
                        "members of 64 bits",
                        127,
                        "E220",
                        many -> "struct s {" + lines(many, i -> "hyper m" + i + ";") + "};"),
                limit(
                        "arms",
                        400,
                        "E220",
                        many -> union(lines(many, i -> "case " + i * STEP + ": string m" + i + "<9>;"))),
                limit("cases", 400, "E220", many -> union(lines(many, i -> "case " + i * STEP + ":") + "int m;")),
                limit(
                        "cases beside the default",
                        400,
                        "E220",
                        many -> union(lines(many, i -> "case " + i * STEP + ":") + "int m; default: int n;")),
                limit("arguments", 253, "E220", many -> program("void PUT(" + list(many, i -> "int") + ") = 1;")),
                limit(
                        "arguments of 64 bits",
                        126,
                        "E220",
                        many -> program("void PUT(" + list(many, i -> "hyper") + ") = 1;")),
                limit(
                        "procedures",
                        600,
                        "E220",
                        many -> program(lines(many, i -> "int P" + i + "(int, hyper) = " + (i + 1) + ";"))),
                limit(
                        "constants",
                        20_000,
                        "E220",
                        many -> lines(many, i -> "const C" + i + " = " + (1L << 40 | i) + ";")),
                limit(
                        "operations beside 400 others",
                        400,
                        "E220",
                        many -> operations(
                                lines(400, i -> "case " + (i + 1000) * STEP + ": int m" + i + ";") + "default: void;",
                                lines(many, i -> "case " + i * STEP + ": stat m" + i + ";") + "default: void;",
                                "EDIT")),
                limit(
                        "destinations of an operation",
                        252,
                        "E220",
                        many -> "struct found {"
                                + lines(many, i -> "/*@ddp eligible; size args.ops[i].size */ opaque m" + i + "<>;")
                                + "}; union outcome switch (stat s) { case OK: found f; };"
                                + operations("case 1: unsigned int size;", "case 1: outcome found;", "EDIT")),
                limit(
                        "characters of the name of a procedure with operations",
                        235,
                        "E225",
                        many -> operations("case 1: int a;", "case 1: stat b;", "N".repeat(many))),
                limit("characters of a name", 247, "E225", many -> "struct " + "N".repeat(many) + " { int x; };"),
                limit(
                        "characters of an arm's name",
                        245,
                        "E225",
                        many -> "enum e { " + "N".repeat(many) + " = 1 }; union U switch (e d) { case "
                                + "N".repeat(many) + ": int n; };"));
    }

    private static Arguments limit(String of, int most, String code, IntFunction<String> definition) {
        return Arguments.of(Named.of(most + " " + of, most), code, definition);
    }

    private static String union(String arms) {
        return "union u switch (int d) {" + arms + "};";
    }

    private static String program(String procedures) {
        return "program P { version V {" + procedures + "} = 1; } = 1;";
    }

    private static String operations(String arguments, String results, String procedure) {
        return "enum stat { OK = 0 }; union op switch (int what) {" + arguments + "}; union res switch (int what) {"
                + results + "}; struct list { op ops<>; }; struct reply { res results<>; };"
                + program("/*@ddp operations args.ops, results.results, success OK */ reply " + procedure
                        + "(list) = 1;");
    }

    private static String list(int many, IntFunction<String> each) {
        return IntStream.range(0, many).mapToObj(each).collect(Collectors.joining(", "));
    }

    private static String lines(int many, IntFunction<String> each) {
        return IntStream.range(0, many).mapToObj(each).collect(Collectors.joining("\n"));
    }

    @ParameterizedTest
    @MethodSource("definitions")
    void theMostThatIsTakenCompilesAndOneMoreIsAnError(int most, String code, IntFunction<String> definition)
            throws IOException {
        assertThat(JavaSources.compile(compiled(definition.apply(most)).generated())
                        .messages())
                .isEmpty();
        assertThat(compiled(definition.apply(most + 1)).diagnostics())
                .filteredOn(diagnostic -> diagnostic.severity() == Diagnostic.Severity.ERROR)
                .extracting(Diagnostic::code)
                .containsExactly(code);
    }

    private CompileResult compiled(String xdr) throws IOException {
        Path file = Files.writeString(folder.resolve("test.x"), xdr);
        return XdrCompiler.compile(new CompileRequest(List.of(new CompileRequest.Source(file, "test.x")), "p.q"));
    }
}
