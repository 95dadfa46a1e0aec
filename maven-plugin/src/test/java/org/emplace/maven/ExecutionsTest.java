// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.emplace.compiler.SourceOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several executions of one goal in a module. */
class ExecutionsTest {
    @TempDir
    private Path folder = Path.of("");

    @SuppressWarnings("NullAway.Init") // JUnit runs the method below first
    private TestModule module;

    @BeforeEach
    void aModuleWithOneFile() throws IOException {
        module = new TestModule(folder);
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
