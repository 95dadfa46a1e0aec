// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GeneratedSourcesTest extends CommandTest {

    @Test
    void sourcesOfRemovedDefinitionsAreRemoved() throws IOException {
        String file = file("a.x", "struct s { int x; }; struct t { int x; };");
        compile(file);
        file("a.x", "struct s { int x; };");

        assertThat(compile(file)).isZero();
        assertThat(sources()).containsExactly("S.java");
        assertThat(out()).isEqualTo("1 file in " + output() + ", 1 stale file removed\n");
    }

    @Test
    void errorsRemoveNothing() throws IOException {
        String file = file("a.x", "struct s { int x; };");
        compile(file);
        file("a.x", "struct t { nowhere x; };");

        assertThat(compile(file)).isEqualTo(1);
        assertThat(sources()).containsExactly("S.java");
    }

    @Test
    void aFileThatWasNotGeneratedStays() throws IOException {
        String file = file("a.x", "struct s { int x; }; struct t { int x; };");
        compile(file);
        file("output/p/Mine.java", "class Mine {}");
        file("output/p/T.java", "class T {} // by hand now");
        file("a.x", "struct s { int x; };");

        assertThat(compile(file)).isZero();
        assertThat(sources()).containsExactly("Mine.java", "S.java", "T.java");
    }

    @Test
    void aFileThatWasNotGeneratedIsNotOverwritten() throws IOException {
        String mine = file("output/p/S.java", "class S {}");

        assertThat(compile(file("a.x", "struct s { int x; };"))).isEqualTo(3);
        assertThat(err())
                .isEqualTo("xdrc compile: will not overwrite " + mine + ", which xdrc did not generate;"
                        + " choose another --output or --package\n");
        assertThat(Path.of(mine)).hasContent("class S {}");
    }

    @Test
    void sourcesOfOtherRunsInTheSamePackageStay() throws IOException {
        String common = file("common.x", "struct c { int x; };");
        String one = file("a.x", "#include \"common.x\"\nstruct s { c x; };");
        String other = file("b.x", "#include \"common.x\"\nstruct t { c x; };");
        compile(one);
        compile(other);
        file("a.x", "struct s { int x; };");

        assertThat(compile(one)).isZero();
        assertThat(sources()).containsExactly("C.java", "S.java", "T.java");
        assertThat(Path.of(common)).exists();
    }

    @Test
    void sourcesOfARemovedFileAreRemoved() throws IOException {
        String before = file("a.x", "struct s { int x; }; struct t { int x; };");
        compile(before);
        Files.delete(Path.of(before));

        assertThat(compile(file("b.x", "struct s { int x; };"))).isZero();
        assertThat(sources()).containsExactly("S.java");
    }

    @Test
    void aRecordThatLeadsOutOfTheFolderRemovesNoOtherFiles() throws IOException {
        String file = file("a.x", "struct s { int x; };");
        compile(file);
        Path mine = Path.of(file("mine.txt", "text"));
        Path record = record();
        Files.writeString(record, Files.readString(record) + "output  -  ../mine.txt\noutput  -  ../../\n");

        assertThat(compile(file)).isZero();
        assertThat(mine).exists();
    }

    @Test
    void aMalformedRecordIsRewritten() throws IOException {
        String file = file("a.x", "struct s { int x; };");
        compile(file);
        Files.writeString(record(), "nonsense");

        assertThat(compile(file)).isZero();
        assertThat(record()).content().contains("p/S.java");
    }

    private Path record() throws IOException {
        try (Stream<Path> records = Files.list(output().resolve(".xdrc"))) {
            return records.findFirst().orElseThrow();
        }
    }

    private List<String> sources() throws IOException {
        try (Stream<Path> files = Files.list(output().resolve("p"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
