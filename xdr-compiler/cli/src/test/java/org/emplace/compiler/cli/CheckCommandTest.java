// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.emplace.compiler.Analysis;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.source.SourceFile;
import org.emplace.compiler.suggest.Candidate;
import org.emplace.compiler.suggest.Candidates;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code -Dcorpus.refresh=true} writes anew what the command says of the files in {@code check}. */
class CheckCommandTest extends CommandTest {

    private static final Path GOLDEN = Path.of("src/test/resources/check");
    private static final Path SPEC = Path.of("../../spec");
    private static final String FILE = "archive.x";

    static List<String> specs() throws IOException {
        try (Stream<Path> files = Files.list(SPEC)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".x") && !file.equals("nfs_acl.x"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"text", "json"})
    void everyItemIsListedWithAll(String format) throws IOException {
        Path golden = GOLDEN.resolve(FILE + "." + format);
        assertThat(run(
                        "check",
                        "--all",
                        "--format",
                        format,
                        GOLDEN.resolve(FILE).toString()))
                .isZero();
        if (Boolean.getBoolean("corpus.refresh")) {
            Files.writeString(golden, out());
        }
        assertThat(out()).isEqualTo(Files.readString(golden));
    }

    @Test
    void withoutAllOnlySuggestionsAreListed() {
        assertThat(run("check", GOLDEN.resolve(FILE).toString())).isZero();
        assertThat(out())
                .contains("N333", "N335")
                .doesNotContain("N334", "always fits inline")
                .endsWith("more: xdrc explain N333 N335\n");
    }

    @Test
    void aBindingWithoutGapsGetsNoSuggestion() {
        assertThat(run("check", SPEC.resolve("nfs3.x").toString())).isZero();
        assertThat(out()).isEqualTo("no suggestion\n");
        assertThat(run("check", "--format", "json", SPEC.resolve("nfs3.x").toString()))
                .isZero();
        assertThat(out()).isEmpty();
    }

    @Test
    void errorsAndWarningsHaveTheirUsualStatus() throws IOException {
        String warned = file("a.x", "program P { version V { int GET(int) = 1; } = 1; } = 1;");

        assertThat(run("check", warned)).isZero();
        assertThat(err()).contains("warning[W320]");
        assertThat(run("check", "--werror", warned)).isEqualTo(ExitStatus.INPUT_ERRORS);
        assertThat(run("check", file("b.x", "struct s { nowhere x; };"))).isEqualTo(ExitStatus.INPUT_ERRORS);
        assertThat(out()).isEmpty();
        assertThat(run("check", folder.resolve("nowhere.x").toString())).isEqualTo(ExitStatus.IO_FAILURE);
        assertThat(run("check")).isEqualTo(ExitStatus.USAGE);
    }

    /** A specification without its binding, and then with all suggestions as its binding. */
    @ParameterizedTest
    @MethodSource("specs")
    void theCompilerAcceptsWhatIsSuggested(String name) throws IOException {
        SourceFile unbound =
                new SourceFile(name, Files.readString(SPEC.resolve(name)).replace("/*@ddp", "/*"));
        JavaModel meaning = XdrCompiler.analyze(List.of(unbound)).meaning().orElseThrow();
        String sidecar = suggested(meaning).map(Candidate::sidecarEntry).collect(Collectors.joining("\n"));

        Analysis bound = XdrCompiler.analyze(List.of(unbound, new SourceFile(name.replace(".x", ".ulb"), sidecar)));
        assertThat(bound.diagnostics()).filteredOn(Diagnostic::isError).isEmpty();
        assertThat(suggested(bound.meaning().orElseThrow())).isEmpty();
    }

    @Test
    void onlyTheDataOfReadAndWriteIsSuggestedForNfs() throws IOException {
        String text = Files.readString(SPEC.resolve("nfs3.x")).replace("/*@ddp", "/*");

        assertThat(suggested(XdrCompiler.analyze(List.of(new SourceFile("nfs3.x", text)))
                                .meaning()
                                .orElseThrow())
                        .map(Candidate::sidecarEntry))
                .containsExactly(
                        "item READ3resok.data { eligible; size unbounded }", "item WRITE3args.data { eligible }");
    }

    private static Stream<Candidate> suggested(JavaModel meaning) {
        return Candidates.of(meaning.protocol(), meaning.binding()).stream()
                .filter(candidate -> candidate.objection().isEmpty());
    }
}
