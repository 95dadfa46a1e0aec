// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.emplace.compiler.CompileRequest.Source;
import org.emplace.compiler.SourceOptions;
import org.emplace.compiler.preprocess.Definitions;
import org.emplace.maven.InputRequest.Archive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where XDR files and options come from. */
class GenerationInputsTest {
    @TempDir
    private Path folder = Path.of("");

    @SuppressWarnings("NullAway.Init") // JUnit runs the method below first
    private TestModule module;

    @BeforeEach
    void aModuleWithOneFile() throws IOException {
        module = new TestModule(folder);
    }

    @Test
    void everyOptionCausesGeneration() throws Exception {
        module.generate();
        List<SourceOptions> options = List.of(
                new SourceOptions(new Definitions(Map.of("WIDE", "1"), Set.of()), List.of(), false),
                new SourceOptions(new Definitions(Map.of("WIDE", "2"), Set.of()), List.of(), false),
                new SourceOptions(new Definitions(Map.of(), Set.of("WIDE")), List.of(), false),
                new SourceOptions(Definitions.DEFAULT, List.of(module.directory("common")), false),
                new SourceOptions(Definitions.DEFAULT, List.of(), true));
        for (SourceOptions each : options) {
            assertThat(module.generate(each).isUpToDate()).as(each.toString()).isFalse();
            assertThat(module.generate(each).isUpToDate()).as(each.toString()).isTrue();
        }
    }

    @Test
    void macrosDetermineTheGeneratedSources() throws Exception {
        module.write("src/main/xdr/point.x", """
                #ifdef WIDE
                struct wide { hyper x; };
                #else
                struct narrow { int x; };
                #endif
                """);
        module.generate(new SourceOptions(new Definitions(Map.of("WIDE", "1"), Set.of()), List.of(), false));
        assertThat(module.outputs()).containsOnlyKeys("p/Wide.java");
        module.generate(SourceOptions.DEFAULT);
        assertThat(module.outputs()).containsOnlyKeys("p/Narrow.java");
    }

    @Test
    void extensionsAreNotedOrRejected() throws Exception {
        module.write("src/main/xdr/point.x", "struct point { short x; };");

        Messages usual = module.generate(SourceOptions.DEFAULT).messages();
        assertThat(usual.errors()).isEmpty();
        assertThat(usual.notes()).hasSize(1);
        assertThat(usual.notes().get(0)).startsWith(module.resolve("src/main/xdr/point.x") + ":1:16: note[");

        Messages strict = module.generate(new SourceOptions(Definitions.DEFAULT, List.of(), true))
                .messages();
        assertThat(strict.errors()).hasSize(1);
    }

    @Test
    void filesInAJarAreCompiledWithTheirBindings() throws Exception {
        Path jar = module.jar(Map.of(
                "xdr/size.x", "struct size { int width; };",
                "xdr/size.ulb", "type size { name Extent }",
                "xdr/other.x", "struct other { int x; };"));
        InputRequest input =
                module.input(SourceOptions.DEFAULT, List.of(new Archive("sizes", jar, List.of("xdr/size.x"))));

        module.generate(input);
        assertThat(module.outputs()).containsOnlyKeys("p/Point.java", "p/Extent.java");
        assertThat(module.generate(input).isUpToDate()).isTrue();

        module.jar(Map.of("xdr/size.x", "struct size { int height; };"));
        assertThat(module.generate(input).isUpToDate()).isFalse();
        assertThat(module.outputs()).containsOnlyKeys("p/Point.java", "p/Size.java");
    }

    @Test
    void aJarWithoutTheFilesIsAnError() throws IOException {
        Path jar = module.jar(Map.of("xdr/size.x", "struct size { int width; };"));
        InputRequest input =
                module.input(SourceOptions.DEFAULT, List.of(new Archive("sizes", jar, List.of("xdr/siez.x"))));

        assertThatThrownBy(() -> module.generate(input))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("<specs> selects xdr/siez.x of sizes, but no file matches in " + jar);
    }

    @Test
    void aDependencyThatIsNotAJarIsAnError() throws IOException {
        module.write("types-1.pom", "<project/>");
        Path pom = module.resolve("types-1.pom");
        InputRequest input = module.input(SourceOptions.DEFAULT, List.of(new Archive("types", pom, List.of("**/*.x"))));

        assertThatThrownBy(() -> module.generate(input))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("<specs> names types, but " + pom + ": not a jar");
    }

    private Source imported(String file) {
        return new Source(module.resolve(file), file, Optional.of("org.example.sizes"));
    }

    @Test
    void importedTypesAreNotGenerated() throws Exception {
        module.write("src/main/xdr/size.x", "struct size { int width; };");
        module.write("src/main/xdr/point.x", "struct point { size of; };");
        InputRequest input = module.importing(List.of(imported("src/main/xdr/size.x")), List.of());

        module.generate(input);
        assertThat(module.outputs()).containsOnlyKeys("p/Point.java");
        assertThat(module.generate(input).isUpToDate()).isTrue();

        module.write("src/main/xdr/size.x", "struct size { int height; };");
        assertThat(module.generate(input).isUpToDate()).isFalse();
        assertThat(module.generate().isUpToDate()).isFalse();
        assertThat(module.outputs()).containsOnlyKeys("p/Point.java", "p/Size.java");
    }

    @Test
    void aJarIsImportedWithAllItsDefinitions() throws Exception {
        module.write("src/main/xdr/point.x", "struct point { size of; };");
        Path jar = module.jar(Map.of("META-INF/xdr/org.example.sizes/size.x", "struct size { int width; };"));
        InputRequest input = module.importing(List.of(), List.of(new Archive("sizes", jar, List.of())));

        module.generate(input);
        assertThat(module.resolve("target/generated/p/Point.java"))
                .content()
                .contains("import org.example.sizes.Size;");
        assertThat(module.generate(input).isUpToDate()).isTrue();

        module.jar(Map.of("META-INF/xdr/org.example.lengths/size.x", "struct size { int width; };"));
        assertThat(module.generate(input).isUpToDate()).isFalse();
        assertThat(module.resolve("target/generated/p/Point.java"))
                .content()
                .contains("import org.example.lengths.Size;");
    }

    @Test
    void invalidImportsAreErrors() throws Exception {
        assertThatThrownBy(() -> module.generate(module.importing(List.of(imported("none.x")), List.of())))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("<imports> names " + module.resolve("none.x") + ", which does not exist");

        Path jar = module.jar(Map.of("xdr/size.x", "struct size { int width; };"));
        List<Archive> empty = List.of(new Archive("sizes", jar, List.of()));
        assertThatThrownBy(() -> module.generate(module.importing(List.of(), empty)))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("<imports> names sizes, but " + jar + " contains no definitions");

        module.write("types-1.pom", "<project/>");
        List<Archive> pom = List.of(new Archive("types", module.resolve("types-1.pom"), List.of()));
        assertThatThrownBy(() -> module.generate(module.importing(List.of(), pom)))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("types-1.pom: not a jar");

        assertThatThrownBy(
                        () -> module.generate(module.importing(List.of(imported("src/main/xdr/point.x")), List.of())))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("there is no .x file in");
    }

    @Test
    void sharedDefinitionsFollowTheFiles() throws Exception {
        Path shared = module.resolve("target/shared");
        module.sharedDirectory = Optional.of(shared);
        module.generate();
        assertThat(shared.resolve("META-INF/xdr/p/point.x")).content().contains("struct point");

        Files.delete(shared.resolve("META-INF/xdr/p/point.x"));
        assertThat(module.generate().isUpToDate()).isTrue();
        assertThat(shared.resolve("META-INF/xdr/p/point.x")).exists();

        module.write("src/main/xdr/size.x", "struct size { int width; };");
        Files.delete(module.resolve("src/main/xdr/point.x"));
        module.generate();
        assertThat(shared.resolve("META-INF/xdr/p")).isDirectoryNotContaining("glob:**/point.x");
        assertThat(shared.resolve("META-INF/xdr/p/size.x")).exists();
    }

    @Test
    void filesElsewhereAreCompiledToo() throws Exception {
        module.write("elsewhere/size.x", "struct size { int width; };");
        module.generate("p", "default", module.resolve("elsewhere"));
        assertThat(module.outputs()).containsOnlyKeys("p/Point.java", "p/Size.java");
    }

    @Test
    void foldersAndFilesMayBeLinks() throws Exception {
        module.write("elsewhere/deep/size.x", "struct size { int width; };");
        Files.createSymbolicLink(module.resolve("src/main/xdr/more"), module.resolve("elsewhere"));
        module.generate();
        assertThat(module.outputs()).containsOnlyKeys("p/Point.java", "p/Size.java");

        Files.move(module.resolve("src/main/xdr"), module.resolve("xdr"));
        Files.createSymbolicLink(module.resolve("src/main/xdr"), module.resolve("xdr"));
        assertThat(module.generate().isUpToDate()).isTrue();

        Files.createSymbolicLink(module.resolve("xdr/round"), module.resolve("xdr"));
        assertThatThrownBy(module::generate).isInstanceOf(FileSystemLoopException.class);
    }

    @Test
    void anInvalidPackageNameIsAnError() {
        assertThatThrownBy(() -> module.generate("my-company.protocol", "default"))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("<packageName> is `my-company.protocol`, which is not a Java package name");
    }

    @Test
    void nothingToCompileIsAnError() throws IOException {
        Files.delete(module.resolve("src/main/xdr/point.x"));
        assertThatThrownBy(module::generate)
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("there is no .x file in");
        assertThatThrownBy(() -> module.generate("p", "default", module.resolve("absent.x")))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("absent.x, which does not exist");
    }
}
