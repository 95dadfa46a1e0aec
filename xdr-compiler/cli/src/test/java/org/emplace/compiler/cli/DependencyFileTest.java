// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.emplace.compiler.cli.DependencyFile.MakeRule;
import org.junit.jupiter.api.Test;

class DependencyFileTest extends CommandTest {

    @Test
    void itListsTheFilesReadAndIsItsOwnTarget() throws IOException {
        String file = file("a.x", "#include \"common/b.x\"\nstruct s { t x; };");
        file("common/b.x", "typedef int t;");
        file("a.ulb", "type s { name Named }");
        Path rule = folder.resolve("a.d");

        assertThat(compile("--depfile", rule.toString(), file)).isZero();
        assertThat(rule).content().isEqualTo("""
                FOLDER/a.d: \\
                  FOLDER/a.x \\
                  FOLDER/a.ulb \\
                  FOLDER/common/b.x

                FOLDER/a.ulb:

                FOLDER/common/b.x:
                """.replace("FOLDER", folder.toString()));
    }

    @Test
    void theTargetCanBeAnotherFile() throws IOException {
        Path rule = folder.resolve("a.d");

        assertThat(compile(
                        "--depfile", rule.toString(), "--depfile-target", "generated.jar", file("a.x", "const C = 1;")))
                .isZero();
        assertThat(rule).content().startsWith("generated.jar: \\\n");
    }

    @Test
    void errorsLeaveItAsItWas() throws IOException {
        Path rule = folder.resolve("a.d");

        assertThat(compile("--depfile", rule.toString(), file("a.x", "struct s { t x; };")))
                .isEqualTo(1);
        assertThat(rule).doesNotExist();
    }

    @Test
    void specialCharactersOfMakeAreEscaped() {
        MakeRule rule = new MakeRule(
                "a%b.d", List.of("a b.x", "c#d.x", "$e.x", "f:g.x", "h\\i.x", "j\\ k.x"), List.of("l*%.x"));

        assertThat(rule.text()).isEqualTo("""
                a\\%b.d: \\
                  a\\ b.x \\
                  c\\#d.x \\
                  $$e.x \\
                  f\\:g.x \\
                  h\\i.x \\
                  j\\\\\\ k.x \\
                  l\\*%.x

                l\\*\\%.x:
                """);
    }

    @Test
    void aNameThatAMakefileCannotExpressIsRejected() throws IOException {
        String file = file("a;b.x", "const C = 1;");
        String rule = folder.resolve("a.d").toString();

        assertThat(compile("--depfile", rule, file)).isEqualTo(3);
        assertThat(err()).isEqualTo("xdrc compile: cannot write " + rule + ": a makefile cannot name `" + file + "`\n");
    }

    @Test
    void makeRunsTheCompilerAgainOnlyIfAFileChanged() throws IOException, InterruptedException {
        file("Makefile", "a\\ b.d:\n\t@echo out of date\n-include a\\ b.d\n");
        String file = file("a b.x", "#include \"$c#d.x\"\nstruct s { t x; };");
        Path included = Path.of(file("$c#d.x", "typedef int t;"));
        Path rule = folder.resolve("a b.d");
        assertThat(compile("--depfile", rule.toString(), "--depfile-target", "a b.d", file))
                .isZero();

        age(rule, 10);
        age(Path.of(file), 20);
        age(included, 20);
        assertThat(make()).isEmpty();
        age(included, 0);
        assertThat(make()).isEqualTo("out of date\n");
        Files.delete(included);
        assertThat(make()).isEqualTo("out of date\n");
    }

    private static void age(Path file, long seconds) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(seconds)));
    }

    private String make() throws IOException, InterruptedException {
        Process make = new ProcessBuilder("make", "-s", "-C", folder.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(make.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        make.waitFor();
        return said.replaceAll("make: Nothing to be done for '.*'.\n", "")
                .replaceAll("make: '.*' is up to date.\n", "");
    }
}
