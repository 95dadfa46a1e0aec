// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.emplace.compiler.SourceOptions;
import org.emplace.compiler.preprocess.Definitions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one execution generates again and what it leaves as it is, alone and beside other executions. */
class GenerationTest {
    @TempDir
    private Path folder = Path.of("");

    @SuppressWarnings("NullAway.Init") // JUnit runs the method below first
    private TestModule module;

    @BeforeEach
    void aModuleWithOneFile() throws IOException {
        module = new TestModule(folder);
    }

    @Test
    void aSecondRunLeavesEverythingUntouched() throws Exception {
        assertThat(module.generate().isUpToDate()).isFalse();
        module.age();
        assertThat(module.generate().isUpToDate()).isTrue();
        assertThat(module.outputs()).containsExactly(Map.entry("p/Point.java", TestModule.LONG_AGO));
    }

    @Test
    void aChangeRewritesOnlyWhatItChanges() throws Exception {
        module.write("src/main/xdr/size.x", "struct size { int width; };");
        module.generate();
        module.age();
        module.write("src/main/xdr/point.x", "struct point { int x; };");

        assertThat(module.generate().isUpToDate()).isFalse();

        assertThat(module.outputs().get("p/Size.java")).isEqualTo(TestModule.LONG_AGO);
        assertThat(module.outputs().get("p/Point.java")).isNotEqualTo(TestModule.LONG_AGO);
    }

    @Test
    void anotherVersionOfTheCompilerCausesGeneration() throws Exception {
        module.generate();
        module.compilerVersion = "2";
        assertThat(module.generate().isUpToDate()).isFalse();
        assertThat(module.generate().isUpToDate()).isTrue();
    }

    @Test
    void aDeletedInputTakesItsSourcesWithIt() throws Exception {
        module.write("src/main/xdr/deeper/size.x", "struct size { int width; };");
        module.generate();
        assertThat(module.outputs()).containsKey("p/Size.java");
        Files.delete(module.resolve("src/main/xdr/deeper/size.x"));

        assertThat(module.generate().isUpToDate()).isFalse();

        assertThat(module.outputs()).containsOnlyKeys("p/Point.java");
    }

    @Test
    void anotherPackageReplacesTheFirst() throws Exception {
        module.generate("p", "default");
        module.generate("q", "default");
        assertThat(module.outputs()).containsOnlyKeys("q/Point.java");
    }

    @Test
    void aNewBindingCausesGeneration() throws Exception {
        module.generate();
        module.write("src/main/xdr/point.ulb", "type point { name Place }");
        assertThat(module.generate().isUpToDate()).isFalse();
        assertThat(module.outputs()).containsOnlyKeys("p/Place.java");
    }

    @Test
    void aModifiedSourceIsRewritten() throws Exception {
        module.generate();
        module.write("target/generated/p/Point.java", "changed");
        assertThat(module.generate().isUpToDate()).isFalse();
        assertThat(module.resolve("target/generated/p/Point.java")).content().contains("record Point");
    }

    @Test
    void anErrorHasFileLineAndColumnAndChangesNothing() throws Exception {
        module.generate();
        module.age();
        module.write("src/main/xdr/point.x", "struct point {\n    integer x;\n};");

        Generation.Result result = module.generate();

        assertThat(result.messages().errors()).hasSize(1);
        assertThat(result.messages().errors().get(0))
                .startsWith(module.resolve("src/main/xdr/point.x") + ":2:5: error[");
        assertThat(module.outputs()).containsExactly(Map.entry("p/Point.java", TestModule.LONG_AGO));
    }

    @Test
    void aLineMarkerMayNameAMissingFile() throws Exception {
        module.write("src/main/xdr/point.x", "# 1 \"no\\000file\"\nstruct point { integer x; };");

        assertThat(module.generate().messages().errors())
                .singleElement()
                .asString()
                .startsWith("no\\u0000file:1:16: error[E202]");
    }

    @Test
    void aSourceThatWasNotGeneratedIsNotOverwritten() throws Exception {
        module.write("target/generated/p/Point.java", "package p; class Point {}");
        assertThatThrownBy(module::generate)
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("will not overwrite ")
                .hasMessageContaining("Point.java, which this plugin did not generate");
        assertThat(module.resolve("target/generated/p/Point.java")).hasContent("package p; class Point {}");
    }

    @Test
    void anInputThatIsOlderThanItsSourcesIsStillRead() throws Exception {
        module.generate();
        module.write("src/main/xdr/point.x", "struct point { int z; };");
        Files.setLastModifiedTime(module.resolve("src/main/xdr/point.x"), TestModule.LONG_AGO);
        assertThat(module.generate().isUpToDate()).isFalse();
        assertThat(module.resolve("target/generated/p/Point.java")).content().contains("int z");
    }

    @Test
    void aChangedIncludedFileCausesGeneration() throws Exception {
        module.write("src/main/xdr/point.x", "#include \"limits.h\"\nstruct point { int x<LIMIT>; };");
        module.write("src/main/xdr/limits.h", "const LIMIT = 3;");
        module.generate();
        assertThat(module.generate().isUpToDate()).isTrue();
        module.write("src/main/xdr/limits.h", "const LIMIT = 4;");

        assertThat(module.generate().isUpToDate()).isFalse();
        assertThat(module.resolve("target/generated/p/Point.java")).content().contains("4");
    }

    @Test
    void aFileThatHidesAnIncludedOneCausesGeneration() throws Exception {
        module.write("src/main/xdr/point.x", "#include <limits.h>\nstruct point { int x<LIMIT>; };");
        module.write("common/limits.h", "const LIMIT = 3;");
        SourceOptions options = new SourceOptions(
                Definitions.DEFAULT, List.of(module.directory("local"), module.directory("common")), false);
        module.generate(options);
        assertThat(module.generate(options).isUpToDate()).isTrue();

        module.write("local/limits.h", "const LIMIT = 4;");

        assertThat(module.generate(options).isUpToDate()).isFalse();
        assertThat(module.resolve("target/generated/p/Point.java")).content().contains("4");
    }

    @Test
    void anotherOutputDirectoryLeavesNothingInTheFirst() throws Exception {
        module.generate();
        module.outputDirectory = "target/other";
        module.generate();
        assertThat(module.resolve("target/generated/p/Point.java")).doesNotExist();
        assertThat(module.outputs()).containsOnlyKeys("p/Point.java");
    }

    @Test
    void aCopyOfAModuleLeavesTheOriginalAlone() throws Exception {
        module.generate();
        TestModule copy = new TestModule(module.resolve("copy"));
        copy.write("target/emplace/default.state", Files.readString(module.resolve("target/emplace/default.state")));
        copy.write("src/main/xdr/point.x", "struct size { int width; };");
        copy.generate();
        assertThat(copy.outputs()).containsOnlyKeys("p/Size.java");
        assertThat(module.outputs()).containsOnlyKeys("p/Point.java");
    }

    @Test
    void anUnreadableStateCausesGeneration() throws Exception {
        module.generate();
        Path state = module.resolve("target/emplace/default.state");
        for (byte[] bytes : List.of(new byte[0], new byte[] {(byte) 0xff, 0x20}, "x\ny\n".getBytes(US_ASCII))) {
            Files.write(state, bytes);
            assertThat(module.generate().isUpToDate()).isFalse();
            assertThat(module.generate().isUpToDate()).isTrue();
        }
    }

    @Test
    void twoExecutionsKeepTheirSourcesApart() throws Exception {
        module.generate("p", "first");
        module.generate("q", "second");
        assertThat(module.outputs()).containsOnlyKeys("p/Point.java", "q/Point.java");
        assertThat(module.generate("p", "first").isUpToDate()).isTrue();
    }

    @Test
    void twoExecutionsMustNotGenerateTheSameSource() throws Exception {
        module.generate("p", "first");
        assertThatThrownBy(() -> module.generate("p", "second"))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("executions first and second both generate p/Point.java");
    }

    @Test
    void aRenamedExecutionTakesOverItsSources() throws Exception {
        InputRequest input = module.input(SourceOptions.DEFAULT, List.of());
        Generation.run(module.request(input, "p", "first", Set.of("first")));
        module.age();

        Generation.run(module.request(input, "p", "second", Set.of("second")));

        assertThat(module.outputs()).containsExactly(Map.entry("p/Point.java", TestModule.LONG_AGO));
        assertThat(module.resolve("target/emplace/first.state")).doesNotExist();
    }

    @Test
    void theSourcesOfARemovedExecutionAreRemovedByTheNext() throws Exception {
        InputRequest input = module.input(SourceOptions.DEFAULT, List.of());
        Generation.run(module.request(input, "p", "first", Set.of("first", "second")));
        Generation.run(module.request(input, "q", "second", Set.of("first", "second")));
        assertThat(module.outputs()).containsOnlyKeys("p/Point.java", "q/Point.java");

        assertThat(Generation.run(module.request(input, "q", "second", Set.of("second")))
                        .isUpToDate())
                .isTrue();

        assertThat(module.outputs()).containsOnlyKeys("q/Point.java");
    }

    @Test
    void anExecutionOnTheCommandLineMayRepeatADeclaredOne() throws Exception {
        module.generate("p", "default");
        module.generate("p", "default-cli");
        assertThat(module.outputs()).containsOnlyKeys("p/Point.java");
        module.generate("q", "default-cli");

        assertThat(module.generate("p", "default").isUpToDate()).isTrue();
        assertThat(module.outputs()).as("what the command line left").containsOnlyKeys("p/Point.java");
    }
}
