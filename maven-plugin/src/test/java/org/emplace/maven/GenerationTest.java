// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.emplace.compiler.SourceOptions;
import org.emplace.compiler.preprocess.Definitions;
import org.emplace.compiler.preprocess.IncludePath;
import org.emplace.maven.InputRequest.Archive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GenerationTest {
    private static final FileTime LONG_AGO = FileTime.fromMillis(1_000_000);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path module;

    private String compilerVersion = "1";

    @BeforeEach
    void aModuleWithOneFile() throws IOException {
        write("src/main/xdr/point.x", "struct point { int x; int y; };");
    }

    private void write(String path, String text) throws IOException {
        Files.createDirectories(module.resolve(path).getParent());
        Files.writeString(module.resolve(path), text);
    }

    private InputRequest input(SourceOptions options, List<Archive> archives, Path... files) {
        return new InputRequest(
                module, module.resolve("src/main/xdr"), List.of("**/*.x"), List.of(files), archives, options);
    }

    private GenerateRequest request(InputRequest input, String packageName, String execution, Set<String> executions) {
        return new GenerateRequest(
                input,
                packageName,
                module.resolve("target/generated"),
                module.resolve("target/emplace"),
                execution,
                Optional.of(executions),
                compilerVersion);
    }

    private GenerateResult generate(InputRequest input) throws IOException, MisconfiguredException {
        return Generation.run(request(input, "p", "default", Set.of("default")));
    }

    private GenerateResult generate(SourceOptions options) throws IOException, MisconfiguredException {
        return generate(input(options, List.of()));
    }

    private GenerateResult generate(String packageName, String execution, Path... files)
            throws IOException, MisconfiguredException {
        InputRequest input = input(SourceOptions.USUAL, List.of(), files);
        return Generation.run(request(input, packageName, execution, Set.of("default", "first", "second")));
    }

    private GenerateResult generate() throws IOException, MisconfiguredException {
        return generate("p", "default");
    }

    private Map<String, FileTime> outputs() throws IOException {
        Path folder = module.resolve("target/generated");
        Map<String, FileTime> times = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                times.put(folder.relativize(file).toString(), Files.getLastModifiedTime(file));
            }
        }
        return times;
    }

    private void age() throws IOException {
        for (String output : outputs().keySet()) {
            Files.setLastModifiedTime(module.resolve("target/generated").resolve(output), LONG_AGO);
        }
    }

    @Test
    void aSecondRunLeavesEverythingUntouched() throws Exception {
        assertThat(generate().isUpToDate()).isFalse();
        age();
        assertThat(generate().isUpToDate()).isTrue();
        assertThat(outputs()).containsExactly(Map.entry("p/Point.java", LONG_AGO));
    }

    @Test
    void aChangeRewritesOnlyWhatItChanges() throws Exception {
        write("src/main/xdr/size.x", "struct size { int width; };");
        generate();
        age();
        write("src/main/xdr/point.x", "struct point { int x; };");

        assertThat(generate().isUpToDate()).isFalse();

        assertThat(outputs().get("p/Size.java")).isEqualTo(LONG_AGO);
        assertThat(outputs().get("p/Point.java")).isNotEqualTo(LONG_AGO);
    }

    @Test
    void anotherVersionOfTheCompilerGeneratesAnew() throws Exception {
        generate();
        compilerVersion = "2";
        assertThat(generate().isUpToDate()).isFalse();
        assertThat(generate().isUpToDate()).isTrue();
    }

    @Test
    void aDeletedInputTakesItsSourcesWithIt() throws Exception {
        write("src/main/xdr/deeper/size.x", "struct size { int width; };");
        generate();
        assertThat(outputs()).containsKey("p/Size.java");
        Files.delete(module.resolve("src/main/xdr/deeper/size.x"));

        assertThat(generate().isUpToDate()).isFalse();

        assertThat(outputs()).containsOnlyKeys("p/Point.java");
    }

    @Test
    void anotherPackageReplacesTheFirst() throws Exception {
        generate("p", "default");
        generate("q", "default");
        assertThat(outputs()).containsOnlyKeys("q/Point.java");
    }

    @Test
    void aBindingThatAppearsGeneratesAnew() throws Exception {
        generate();
        write("src/main/xdr/point.ulb", "type point { name Place }");
        assertThat(generate().isUpToDate()).isFalse();
        assertThat(outputs()).containsOnlyKeys("p/Place.java");
    }

    @Test
    void aSourceThatSomebodyChangedIsWrittenAnew() throws Exception {
        generate();
        write("target/generated/p/Point.java", "changed");
        assertThat(generate().isUpToDate()).isFalse();
        assertThat(module.resolve("target/generated/p/Point.java")).content().contains("record Point");
    }

    @Test
    void anErrorSaysFileLineAndColumnAndChangesNothing() throws Exception {
        generate();
        age();
        write("src/main/xdr/point.x", "struct point {\n    integer x;\n};");

        GenerateResult result = generate();

        assertThat(result.messages().errors()).hasSize(1);
        assertThat(result.messages().errors().get(0))
                .startsWith(module.resolve("src/main/xdr/point.x") + ":2:5: error[");
        assertThat(outputs()).containsExactly(Map.entry("p/Point.java", LONG_AGO));
    }

    @Test
    void twoExecutionsKeepTheirSourcesApart() throws Exception {
        generate("p", "first");
        generate("q", "second");
        assertThat(outputs()).containsOnlyKeys("p/Point.java", "q/Point.java");
        assertThat(generate("p", "first").isUpToDate()).isTrue();
    }

    @Test
    void twoExecutionsMustNotGenerateTheSameSource() throws Exception {
        generate("p", "first");
        assertThatThrownBy(() -> generate("p", "second"))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("executions first and second both generate p/Point.java");
    }

    @Test
    void anExecutionThatHasAnotherNameNowTakesTheOldOnesSourcesOver() throws Exception {
        InputRequest input = input(SourceOptions.USUAL, List.of());
        Generation.run(request(input, "p", "first", Set.of("first")));
        age();

        Generation.run(request(input, "p", "second", Set.of("second")));

        assertThat(outputs()).containsExactly(Map.entry("p/Point.java", LONG_AGO));
        assertThat(module.resolve("target/emplace/first.state")).doesNotExist();
    }

    @Test
    void anExecutionThatIsNoMoreLosesItsSourcesToTheNextThatRuns() throws Exception {
        InputRequest input = input(SourceOptions.USUAL, List.of());
        Generation.run(request(input, "p", "first", Set.of("first", "second")));
        Generation.run(request(input, "q", "second", Set.of("first", "second")));
        assertThat(outputs()).containsOnlyKeys("p/Point.java", "q/Point.java");

        assertThat(Generation.run(request(input, "q", "second", Set.of("second")))
                        .isUpToDate())
                .isTrue();

        assertThat(outputs()).containsOnlyKeys("q/Point.java");
    }

    @Test
    void anIncludedFileThatChangesGeneratesAnew() throws Exception {
        write("src/main/xdr/point.x", "#include \"limits.h\"\nstruct point { int x<LIMIT>; };");
        write("src/main/xdr/limits.h", "const LIMIT = 3;");
        generate();
        assertThat(generate().isUpToDate()).isTrue();
        write("src/main/xdr/limits.h", "const LIMIT = 4;");

        assertThat(generate().isUpToDate()).isFalse();
        assertThat(module.resolve("target/generated/p/Point.java")).content().contains("4");
    }

    @Test
    void aFileThatHidesAnIncludedOneGeneratesAnew() throws Exception {
        write("src/main/xdr/point.x", "#include <limits.h>\nstruct point { int x<LIMIT>; };");
        write("common/limits.h", "const LIMIT = 3;");
        SourceOptions options =
                new SourceOptions(Definitions.USUAL, List.of(directory("local"), directory("common")), false);
        generate(options);
        assertThat(generate(options).isUpToDate()).isTrue();

        write("local/limits.h", "const LIMIT = 4;");

        assertThat(generate(options).isUpToDate()).isFalse();
        assertThat(module.resolve("target/generated/p/Point.java")).content().contains("4");
    }

    private IncludePath.Directory directory(String name) {
        return new IncludePath.Directory(module.resolve(name), name);
    }

    @Test
    void everyOptionGeneratesAnew() throws Exception {
        generate();
        List<SourceOptions> options = List.of(
                new SourceOptions(new Definitions(Map.of("WIDE", "1"), Set.of()), List.of(), false),
                new SourceOptions(new Definitions(Map.of("WIDE", "2"), Set.of()), List.of(), false),
                new SourceOptions(new Definitions(Map.of(), Set.of("WIDE")), List.of(), false),
                new SourceOptions(Definitions.USUAL, List.of(directory("common")), false),
                new SourceOptions(Definitions.USUAL, List.of(), true));
        for (SourceOptions each : options) {
            assertThat(generate(each).isUpToDate()).as(each.toString()).isFalse();
            assertThat(generate(each).isUpToDate()).as(each.toString()).isTrue();
        }
    }

    @Test
    void macrosChooseWhatIsGenerated() throws Exception {
        write("src/main/xdr/point.x", """
                #ifdef WIDE
                struct wide { hyper x; };
                #else
                struct narrow { int x; };
                #endif
                """);
        generate(new SourceOptions(new Definitions(Map.of("WIDE", "1"), Set.of()), List.of(), false));
        assertThat(outputs()).containsOnlyKeys("p/Wide.java");
        generate(SourceOptions.USUAL);
        assertThat(outputs()).containsOnlyKeys("p/Narrow.java");
    }

    @Test
    void whatIsNotStandardIsNotedOrRefused() throws Exception {
        write("src/main/xdr/point.x", "struct point { short x; };");

        Messages usual = generate(SourceOptions.USUAL).messages();
        assertThat(usual.errors()).isEmpty();
        assertThat(usual.notes()).hasSize(1);
        assertThat(usual.notes().get(0)).startsWith(module.resolve("src/main/xdr/point.x") + ":1:16: note[");

        Messages strict =
                generate(new SourceOptions(Definitions.USUAL, List.of(), true)).messages();
        assertThat(strict.errors()).hasSize(1);
    }

    @Test
    void filesInAJarAreCompiledWithTheirBindings() throws Exception {
        Path jar = jar(Map.of(
                "xdr/size.x", "struct size { int width; };",
                "xdr/size.ulb", "type size { name Extent }",
                "xdr/other.x", "struct other { int x; };"));
        InputRequest input = input(SourceOptions.USUAL, List.of(new Archive("sizes", jar, List.of("xdr/size.x"))));

        generate(input);
        assertThat(outputs()).containsOnlyKeys("p/Point.java", "p/Extent.java");
        assertThat(generate(input).isUpToDate()).isTrue();

        jar(Map.of("xdr/size.x", "struct size { int height; };"));
        assertThat(generate(input).isUpToDate()).isFalse();
        assertThat(outputs()).containsOnlyKeys("p/Point.java", "p/Size.java");
    }

    @Test
    void aJarWithoutTheFilesIsAMistake() throws IOException {
        Path jar = jar(Map.of("xdr/size.x", "struct size { int width; };"));
        InputRequest input = input(SourceOptions.USUAL, List.of(new Archive("sizes", jar, List.of("xdr/siez.x"))));

        assertThatThrownBy(() -> generate(input))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("<specs> wants xdr/siez.x of sizes, but there is no such file in " + jar);
    }

    @Test
    void aDependencyThatIsNoJarIsAMistake() throws IOException {
        write("types-1.pom", "<project/>");
        Path pom = module.resolve("types-1.pom");
        InputRequest input = input(SourceOptions.USUAL, List.of(new Archive("types", pom, List.of("**/*.x"))));

        assertThatThrownBy(() -> generate(input))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("<specs> names types, but " + pom + " is not a jar");
    }

    private Path jar(Map<String, String> files) throws IOException {
        Path jar = module.resolve("sizes.jar");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                out.putNextEntry(new ZipEntry(file.getKey()));
                out.write(file.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        return jar;
    }

    @Test
    void filesElsewhereAreCompiledToo() throws Exception {
        write("elsewhere/size.x", "struct size { int width; };");
        generate("p", "default", module.resolve("elsewhere"));
        assertThat(outputs()).containsOnlyKeys("p/Point.java", "p/Size.java");
    }

    @Test
    void aPackageThatJavaCannotHaveIsAMistake() {
        assertThatThrownBy(() -> generate("my-company.protocol", "default"))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("<packageName> is `my-company.protocol`, which is not a Java package name");
    }

    @Test
    void nothingToCompileIsAMistake() throws IOException {
        Files.delete(module.resolve("src/main/xdr/point.x"));
        assertThatThrownBy(this::generate)
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("there is no .x file in");
        assertThatThrownBy(() -> generate("p", "default", module.resolve("absent.x")))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("absent.x, which does not exist");
    }
}
