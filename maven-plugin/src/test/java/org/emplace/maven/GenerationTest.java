// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GenerationTest {
    private static final FileTime LONG_AGO = FileTime.fromMillis(1_000_000);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path module;

    @BeforeEach
    void aModuleWithOneFile() throws IOException {
        write("src/main/xdr/point.x", "struct point { int x; int y; };");
    }

    private void write(String path, String text) throws IOException {
        Files.createDirectories(module.resolve(path).getParent());
        Files.writeString(module.resolve(path), text);
    }

    private GenerateResult generate(String packageName, String execution, Path... files)
            throws IOException, MisconfiguredException {
        return Generation.run(new GenerateRequest(
                module,
                module.resolve("src/main/xdr"),
                List.of("**/*.x"),
                List.of(files),
                packageName,
                module.resolve("target/generated"),
                module.resolve("target/emplace"),
                execution,
                "1"));
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

        assertThat(result.errors()).hasSize(1);
        assertThat(result.errors().get(0)).startsWith("src/main/xdr/point.x:2:5: error[");
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
