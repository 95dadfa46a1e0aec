// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeneratedSourcesTest {

    @TempDir
    private Path folder = Path.of("");

    private Commands xdrc = new Commands(folder);

    @BeforeEach
    void commandsRunInTheFolder() {
        xdrc = new Commands(folder);
    }

    @Test
    void sourcesOfDefinitionsThatAreGoneAreRemoved() throws IOException {
        String file = xdrc.file("a.x", "struct s { int x; }; struct t { int x; };");
        xdrc.compile(file);
        xdrc.file("a.x", "struct s { int x; };");

        assertThat(xdrc.compile(file)).isZero();
        assertThat(sources()).containsExactly("S.java");
        assertThat(xdrc.out()).isEqualTo("1 file in " + xdrc.output() + ", 1 stale file removed\n");
    }

    @Test
    void errorsRemoveNothing() throws IOException {
        String file = xdrc.file("a.x", "struct s { int x; };");
        xdrc.compile(file);
        xdrc.file("a.x", "struct t { nowhere x; };");

        assertThat(xdrc.compile(file)).isEqualTo(1);
        assertThat(sources()).containsExactly("S.java");
    }

    @Test
    void aFileThatWasNotGeneratedStays() throws IOException {
        String file = xdrc.file("a.x", "struct s { int x; }; struct t { int x; };");
        xdrc.compile(file);
        xdrc.file("output/p/Mine.java", "class Mine {}");
        xdrc.file("output/p/T.java", "class T {} // by hand now");
        xdrc.file("a.x", "struct s { int x; };");

        assertThat(xdrc.compile(file)).isZero();
        assertThat(sources()).containsExactly("Mine.java", "S.java", "T.java");
    }

    @Test
    void aFileThatWasNotGeneratedIsNotOverwritten() throws IOException {
        String mine = xdrc.file("output/p/S.java", "class S {}");

        assertThat(xdrc.compile(xdrc.file("a.x", "struct s { int x; };"))).isEqualTo(3);
        assertThat(xdrc.err())
                .isEqualTo("xdrc compile: " + mine + " is to be generated, but is there already and was not generated;"
                        + " choose another --output or --package\n");
        assertThat(Path.of(mine)).hasContent("class S {}");
    }

    @Test
    void whatOtherRunsGenerateIntoTheSamePackageStays() throws IOException {
        String common = xdrc.file("common.x", "struct c { int x; };");
        String one = xdrc.file("a.x", "#include \"common.x\"\nstruct s { c x; };");
        String other = xdrc.file("b.x", "#include \"common.x\"\nstruct t { c x; };");
        xdrc.compile(one);
        xdrc.compile(other);
        xdrc.file("a.x", "struct s { int x; };");

        assertThat(xdrc.compile(one)).isZero();
        assertThat(sources()).containsExactly("C.java", "S.java", "T.java");
        assertThat(Path.of(common)).exists();
    }

    @Test
    void whatWasGeneratedOfAFileThatIsGoneIsRemoved() throws IOException {
        String before = xdrc.file("a.x", "struct s { int x; }; struct t { int x; };");
        xdrc.compile(before);
        Files.delete(Path.of(before));

        assertThat(xdrc.compile(xdrc.file("b.x", "struct s { int x; };"))).isZero();
        assertThat(sources()).containsExactly("S.java");
    }

    @Test
    void aRecordThatLeadsOutOfTheFolderRemovesNothingThatWasNotGenerated() throws IOException {
        String file = xdrc.file("a.x", "struct s { int x; };");
        xdrc.compile(file);
        Path mine = Path.of(xdrc.file("mine.txt", "text"));
        Path record = record();
        Files.writeString(record, Files.readString(record) + "output  -  ../mine.txt\noutput  -  ../../\n");

        assertThat(xdrc.compile(file)).isZero();
        assertThat(mine).exists();
    }

    @Test
    void aRecordThatCannotBeUnderstoodIsWrittenAnew() throws IOException {
        String file = xdrc.file("a.x", "struct s { int x; };");
        xdrc.compile(file);
        Files.writeString(record(), "nonsense");

        assertThat(xdrc.compile(file)).isZero();
        assertThat(record()).content().contains("p/S.java");
    }

    private Path record() throws IOException {
        try (Stream<Path> records = Files.list(xdrc.output().resolve(".xdrc"))) {
            return records.findFirst().orElseThrow();
        }
    }

    private List<String> sources() throws IOException {
        try (Stream<Path> files = Files.list(xdrc.output().resolve("p"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
