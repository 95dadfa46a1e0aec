// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.preprocess.Definitions;
import org.emplace.compiler.preprocess.IncludePath;
import org.emplace.compiler.source.SourceFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class XdrCompilerTest {

    @TempDir
    private Path folder = Path.of("");

    @Test
    void aSidecarBesideItsFileIsRead() throws IOException {
        Files.writeString(folder.resolve("a.x"), "struct s { int x; };");
        Files.writeString(folder.resolve("a.ulb"), "item s.y { eligible }");

        assertThat(compile("a.x").sources()).extracting(SourceFile::name).containsExactly("a.x", "a.ulb");
        assertThat(compile("a.x").diagnostics()).extracting(Diagnostic::code).containsExactly("E306");
    }

    @Test
    void aFileThatCannotBeReadIsAnError() {
        CompileResult result = compile("missing.x");

        assertThat(result.failed()).isTrue();
        assertThat(result.diagnostics()).extracting(Diagnostic::code).containsExactly("E108");
    }

    @Test
    void aFileGivenTwiceIsAnError() throws IOException {
        Files.writeString(folder.resolve("a.x"), "struct s { int x; };");

        assertThat(compile("a.x", "a.x").diagnostics())
                .extracting(Diagnostic::code)
                .containsExactly("E109");
    }

    @Test
    void errorsOfAllFilesAreReportedAndNothingIsGenerated() throws IOException {
        Files.writeString(folder.resolve("b.x"), "struct s { int };");
        Files.writeString(folder.resolve("a.x"), "struct t { int };");

        CompileResult result = compile("b.x", "a.x");
        assertThat(result.diagnostics()).extracting(d -> d.primary().file()).containsExactly("a.x", "b.x");
        assertThat(result.generated()).isEmpty();
    }

    @Test
    void oldFilesWithLatinCommentsAndOtherLineEndsAreRead() throws IOException {
        Files.write(folder.resolve("a.x"), new byte[] {'/', '*', (byte) 0xe9, '*', '/', '\r', '\n', '}'});

        assertThat(compile("a.x").diagnostics().get(0).primary().line()).isEqualTo(2);
    }

    @Test
    void aByteOrderMarkIsIgnored() throws IOException {
        Files.writeString(folder.resolve("a.x"), "\ufeffstruct s { int a; }");

        assertThat(compile("a.x").diagnostics())
                .singleElement()
                .satisfies(each -> assertThat(each.primary().column()).isEqualTo(20));
    }

    @Test
    void includedDefinitionsAreGenerated() throws IOException {
        Files.writeString(folder.resolve("a.x"), "#include \"b.h\"\nstruct s { t x; };");
        Files.writeString(folder.resolve("c.x"), "#include \"b.h\"\nstruct u { t x; };");
        Files.writeString(folder.resolve("b.h"), "struct t { int x; };");

        CompileResult result = compile("a.x", "c.x");
        assertThat(result.failed()).isFalse();
        assertThat(result.generated())
                .containsOnlyKeys("org/example/S.java", "org/example/T.java", "org/example/U.java");
    }

    @Test
    void dependenciesHaveFilesReadAndFilesNotFound() throws IOException {
        Files.createDirectories(folder.resolve("common"));
        Files.writeString(folder.resolve("a.x"), "#include <t.h>\nstruct s { t x; };");
        Files.writeString(folder.resolve("common/t.h"), "struct t { int x; };");
        List<IncludePath.Directory> includePath =
                List.of(directory("local"), directory("common"), directory("further"));

        CompileResult result = XdrCompiler.compile(new CompileRequest(
                List.of(new CompileRequest.Source(folder.resolve("a.x"), "a.x")),
                "org.example",
                new SourceOptions(Definitions.DEFAULT, includePath, false)));

        assertThat(result.dependencies().read()).containsExactly(folder.resolve("a.x"), folder.resolve("common/t.h"));
        assertThat(result.dependencies().absent())
                .containsExactly(folder.resolve("a.ulb"), folder.resolve("local/t.h"));
    }

    @Test
    void aListThatDoesNotFitHasALineOfItsOwnOrOneForEachOfItsElements() throws IOException {
        Files.writeString(folder.resolve("a.x"), """
                struct attributes { int modification; int modification_of_owner; int modification_of_group; int modification_of_all_of_the_others; };
                struct first_attributes { int modification; };
                struct all_attributes { int modification; int modification_of_owner; int modification_of_group; int modification_of_others; int modification_of_all_of_them; };
                program ATTRIBUTES_PROGRAM {
                    version ATTRIBUTES_V1 {
                        attributes MODIFICATION_OF_ALL_ATTRIBUTES(int modification, attributes others) = 1;
                        first_attributes MODIFICATION(int modification, first_attributes others) = 2;
                    } = 1;
                } = 0x20000001;
                """);
        Map<String, String> generated = compile("a.x").generated();

        assertThat(generated.get("org/example/Attributes.java")).contains("""
                        public record Attributes(
                                int modification, int modificationOfOwner, int modificationOfGroup, int modificationOfAllOfTheOthers)
                                implements XdrValue {
                        """.stripTrailing());
        assertThat(generated.get("org/example/AllAttributes.java")).contains("""
                        public record AllAttributes(
                                int modification,
                                int modificationOfOwner,
                                int modificationOfGroup,
                                int modificationOfOthers,
                                int modificationOfAllOfThem)
                                implements XdrValue {
                        """.stripTrailing());
        assertThat(generated.get("org/example/FirstAttributes.java"))
                .contains("public record FirstAttributes(int modification) implements XdrValue {\n");
        assertThat(generated.get("org/example/Attributes1Client.java"))
                .contains("""
                            public Attributes modificationOfAllAttributes(int modification, Attributes others)
                                    throws RpcException, InterruptedException {
                                return modificationOfAllAttributesAsync(modification, others).await();
                        """)
                .contains("    /** Calls {@code MODIFICATION}. */\n");
        assertThat(generated.get("org/example/Attributes1.java")).contains("    private Attributes1() {}\n");
    }

    private IncludePath.Directory directory(String name) {
        return new IncludePath.Directory(folder.resolve(name), name);
    }

    @Test
    void outputNeverLeavesItsFolder() {
        Path output = folder.resolve("output");
        TreeMap<String, String> generated = new TreeMap<>(Map.of("org/x/A.java", "", "../B.java", ""));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OutputFolder(output).write(generated))
                .withMessageContaining("../B.java");
        assertThat(output).doesNotExist();
    }

    private CompileResult compile(String... names) {
        List<CompileRequest.Source> sources = Arrays.stream(names)
                .map(name -> new CompileRequest.Source(folder.resolve(name), name))
                .toList();
        return XdrCompiler.compile(new CompileRequest(sources, "org.example"));
    }
}
