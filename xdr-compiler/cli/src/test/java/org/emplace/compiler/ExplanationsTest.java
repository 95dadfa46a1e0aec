// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.emplace.compiler.cli.Xdrc;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.DiagnosticRenderer;
import org.emplace.compiler.diagnostic.Explanation;
import org.emplace.compiler.diagnostic.Explanation.Block;
import org.emplace.compiler.diagnostic.Explanations;
import org.emplace.compiler.diagnostic.Extension;
import org.emplace.compiler.model.Imports;
import org.emplace.compiler.source.SourceFile;
import org.emplace.compiler.suggest.SuggestionNotes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every code has an explanation, whose example gives that diagnostic and whose fix gives none. What the compiler says of the example stands in
 * the explanation; {@code -Dcorpus.refresh=true} writes it anew, and with it the table in {@code docs/diagnostics.md}.
 */
class ExplanationsTest {

    /** The folder with the modules whose diagnostics these are. */
    private static final Path MODULES = Path.of("..");

    private static final Path EXPLANATIONS = Path.of("compiler/src/main/resources/org/emplace/compiler/diagnostic");
    /** What the examples' files are called, by the languages of their blocks. */
    private static final Map<String, String> FILES = Map.of("c", "album.x", "c imported", "photos.x");

    private static final Imports IMPORTS = new Imports(Map.of("photos.x", "org.example.photos"));
    private static final Path PAGE = Path.of("../../docs/diagnostics.md");
    private static final Pattern CODE = Pattern.compile("(?<=\")[EWN]\\d{3}(?=\")");

    private static final Set<String> OF_CHECK = Set.of("N333", "N334", "N335");

    @TempDir
    private Path folder = Path.of("");

    static List<String> codes() {
        return Explanations.codes();
    }

    /** The documents' points, and the codes of the checks that hold them, are the rows of this page's tables. */
    @Test
    void explanationsNameThePointsThatTheirChecksEnforce() throws IOException {
        List<String> rows = Files.readAllLines(Path.of("../../docs/binding-checks.md")).stream()
                .filter(line -> line.startsWith("| "))
                .toList();
        Set<String> codes = new TreeSet<>();
        for (String row : rows) {
            Pattern.compile("[EW]\\d{3}").matcher(row).results().forEach(code -> codes.add(code.group()));
        }

        assertThat(codes)
                .hasSizeGreaterThan(15)
                .allSatisfy(code -> assertThat(String.join(
                                " ", Explanations.of(code).orElseThrow().text()))
                        .containsPattern(
                                "Appendix B, point|RFC 8166 section 6|draft-ietf-nfsv4-rfc5666bis-01 sections? [68]"));
    }

    @Test
    void everyCodeIsExplainedAndNoOther() throws IOException {
        StringBuilder sources = new StringBuilder();
        try (Stream<Path> files = Files.walk(MODULES)) {
            for (Path file : files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains("/src/main/java/"))
                    .toList()) {
                sources.append(Files.readString(file));
            }
        }
        Set<String> used =
                CODE.matcher(sources).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
        for (Extension extension : Extension.values()) {
            if (!sources.toString().contains("Extension." + extension.name())) {
                used.remove(extension.code());
            }
        }
        assertThat(Explanations.codes())
                .as("each code has a file NAME.md in %s", EXPLANATIONS)
                .containsExactlyInAnyOrderElementsOf(used);
    }

    @Test
    void theDocumentListsAllCodes() throws IOException {
        String page = Files.readString(PAGE);
        int table = page.indexOf("| code |");
        String listed = "| code | what is wrong |\n|---|---|\n" + rows("1", "Files and syntax") + rows("2", "Linking")
                + rows("3", "Bindings");
        if (Boolean.getBoolean("corpus.refresh")) {
            Files.writeString(PAGE, page.substring(0, table) + listed);
        }
        assertThat(page.substring(table)).isEqualTo(listed);
    }

    private static String rows(String group, String heading) {
        return Explanations.codes().stream()
                .filter(code -> code.substring(1).startsWith(group))
                .map(code -> Explanations.of(code).orElseThrow())
                .map(explanation -> "| [%s](../xdr-compiler/%s/%s.md) | %s |\n"
                        .formatted(explanation.code(), EXPLANATIONS, explanation.code(), explanation.title()))
                .collect(Collectors.joining("", "| | **" + heading + "** |\n", ""));
    }

    @ParameterizedTest
    @MethodSource("codes")
    void itsExampleGivesIt(String code) throws IOException {
        Explanation explanation = Explanations.of(code).orElseThrow();

        String said = said(code, explanation.example());
        if (Boolean.getBoolean("corpus.refresh")) {
            refresh(code, said);
        }
        assertThat(explanation.code()).isEqualTo(code);
        assertThat(Pattern.compile("\\[([EWN]\\d{3})]").matcher(said).results().map(match -> match.group(1)))
                .isNotEmpty()
                .containsOnly(code);
        assertThat(said).isEqualTo(explanation.said());
    }

    @ParameterizedTest
    @MethodSource("codes")
    void itsFixRemovesIt(String code) throws IOException {
        assertThat(said(code, Explanations.of(code).orElseThrow().fix())).isEmpty();
    }

    private String said(String code, List<Block> blocks) throws IOException {
        return blocks.get(0).language().equals("sh") ? ofCommand(blocks.get(0).text()) : ofFiles(code, blocks);
    }

    /** Without notes on extensions where these are not what is explained: preprocessor directives are one. */
    private static String ofFiles(String code, List<Block> blocks) {
        List<SourceFile> sources = blocks.stream()
                .map(block -> new SourceFile(FILES.getOrDefault(block.language(), "album.ulb"), written(block.text())))
                .toList();
        DiagnosticRenderer renderer = new DiagnosticRenderer(sources);
        Analysis analysis = XdrCompiler.analyze(sources, IMPORTS);
        return Stream.concat(analysis.diagnostics().stream(), suggestions(code, analysis))
                .filter(diagnostic -> code.startsWith("N") || diagnostic.severity() != Diagnostic.Severity.NOTE)
                .map(renderer::render)
                .collect(Collectors.joining());
    }

    /** What {@code xdrc check} says beyond what every command says. */
    private static Stream<Diagnostic> suggestions(String code, Analysis analysis) {
        return OF_CHECK.contains(code)
                ? analysis.meaning().stream()
                        .flatMap(meaning ->
                                SuggestionNotes.of(meaning.protocol(), meaning.binding(), code.equals("N334")).stream())
                : Stream.empty();
    }

    /** Where an example leaves out lines that differ by their numbers alone, the text with them. */
    private static String written(String text) {
        StringBuilder out = new StringBuilder();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).equals("/* and so on, up to: */")) {
                int first = number(lines.get(i - 1));
                int last = number(lines.get(i + 1));
                for (int n = first + 1; n < last; n++) {
                    int step = n - first;
                    out.append(Pattern.compile("(?<=[a-z])\\d+")
                                    .matcher(lines.get(i - 1))
                                    .replaceAll(match -> String.valueOf(Integer.parseInt(match.group()) + step)))
                            .append('\n');
                }
            } else {
                out.append(lines.get(i)).append('\n');
            }
        }
        return out.toString();
    }

    private static int number(String line) {
        return Pattern.compile("\\d+")
                .matcher(line)
                .results()
                .map(match -> Integer.parseInt(match.group()))
                .findFirst()
                .orElseThrow();
    }

    /** Runs a command in a folder with two files, {@code album.x} and {@code gallery.x}. */
    private String ofCommand(String command) throws IOException {
        Files.writeString(folder.resolve("album.x"), "typedef string caption<100>;");
        Files.writeString(folder.resolve("gallery.x"), "struct picture { caption title; };");
        String[] arguments = Arrays.stream(command.strip().split(" ", -1))
                .skip(1)
                .map(word -> word.replaceFirst("[a-z]+\\.x$|^out$", folder + "/$0"))
                .toArray(String[]::new);
        StringWriter err = new StringWriter();
        Xdrc.run(new PrintWriter(new StringWriter()), new PrintWriter(err), arguments);
        return err.toString().replace(Objects.requireNonNull(folder) + "/", "").replaceAll("(?m)^more: .*\n", "");
    }

    private static void refresh(String code, String said) throws IOException {
        Path file = MODULES.resolve(EXPLANATIONS).resolve(code + ".md");
        String text = Files.readString(file);
        int start = text.indexOf("```text\n") + "```text\n".length();
        Files.writeString(file, text.substring(0, start) + said + text.substring(text.indexOf("```", start)));
    }
}
