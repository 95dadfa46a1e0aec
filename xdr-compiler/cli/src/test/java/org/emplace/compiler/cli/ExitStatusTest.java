// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExitStatusTest extends CommandTest {
    private static final String GOOD = "program P { /*@ddp port 1 */ version V { int GET(int) = 1; } = 1; } = 1;";
    private static final String BAD = "struct s { nowhere x; };";
    private static final String WARNED = "program P { version V { int GET(int) = 1; } = 1; } = 1;";

    @Test
    void successIs0AlsoWithWarnings() throws IOException {
        assertThat(compile(file("a.x", GOOD))).isZero();
        assertThat(compile(file("a.x", WARNED))).isZero();
        assertThat(err()).contains("warning[W320]");
    }

    @Test
    void errorsInTheInputAre1() throws IOException {
        String bad = file("a.x", BAD);

        assertThat(compile(bad)).isEqualTo(1);
        assertThat(run("document", "--output", folder.resolve("a.html").toString(), bad))
                .isEqualTo(1);
        assertThat(run("extract", file("rfc.txt", "no XDR"))).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"compile", "compile --nonsense", "document", "compare a.x", "extract", "explain E999", "nonsense"
            })
    void wrongUsageIs2(String arguments) {
        assertThat(run(arguments.split(" ", -1))).isEqualTo(2);
        assertThat(err().lines()).hasSize(1);
    }

    @Test
    void anUnreadableFileIs3DespiteErrorsInOthers() throws IOException {
        String bad = file("a.x", BAD);
        String nowhere = folder.resolve("nowhere.x").toString();

        assertThat(compile(nowhere)).isEqualTo(3);
        assertThat(compile(bad, nowhere)).isEqualTo(3);
        assertThat(run("document", "--output", folder.resolve("a.html").toString(), nowhere))
                .isEqualTo(3);
        assertThat(run("extract", nowhere)).isEqualTo(3);
        assertThat(run("compare", nowhere, bad)).isEqualTo(3);
    }

    @Test
    void aFileThatCannotBeWrittenIs3() throws IOException {
        String good = file("a.x", GOOD);
        String folderOfNone = folder.resolve("nowhere/a.html").toString();

        assertThat(run("document", "--output", folderOfNone, good)).isEqualTo(3);
        assertThat(run("extract", "--output", folderOfNone, file("rfc.txt", "   struct s {\n   int x;\n   };\n")))
                .isEqualTo(3);
        assertThat(compile("--depfile", folderOfNone, good)).isEqualTo(3);
        assertThat(err()).isEqualTo("xdrc compile: cannot write " + folderOfNone + ": no such file or directory\n");
    }

    @Test
    void standardOutputThatCannotBeWrittenIs3() {
        StringWriter err = new StringWriter();
        Writer full = new Writer() {
            @Override
            public void write(char[] characters, int offset, int length) throws IOException {
                throw new IOException("No space left on device");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };

        assertThat(Xdrc.run(new PrintWriter(full), new PrintWriter(err, true), "explain"))
                .isEqualTo(3);
        assertThat(err.toString()).isEqualTo("xdrc: cannot write to standard output\n");
    }

    @Test
    void aComparisonUses1ForItsResult() throws IOException {
        String before = file("a.x", "struct s { int x; };");
        String after = file("b.x", "struct s { hyper x; };");

        assertThat(run("compare", before, before)).isZero();
        assertThat(run("compare", before, after)).isEqualTo(1);
        assertThat(run("compare", before, file("c.x", BAD))).isEqualTo(2);
        assertThat(run("compare", "--help")).isZero();
        assertThat(out()).contains("Exit status:", "1   a change breaks one of them");
    }

    @ParameterizedTest
    @ValueSource(strings = {"compile", "check", "document", "extract", "explain", "init"})
    void helpExplainsTheStatus(String command) {
        assertThat(run(command, "--help")).isZero();
        assertThat(out())
                .contains("Exit status:", "1   errors in the input", "2   wrong usage", "3   a file cannot be read");
    }

    @Test
    void warningsAreErrorsOnRequest() throws IOException {
        String warned = file("a.x", WARNED);
        Path document = folder.resolve("a.html");

        assertThat(compile("--werror", warned)).isEqualTo(1);
        assertThat(err()).contains("error[W320]: `V` has no binding");
        assertThat(output()).doesNotExist();
        assertThat(run("document", "--werror", "--output", document.toString(), warned))
                .isEqualTo(1);
        assertThat(document).doesNotExist();
    }

    @Test
    void notesAreNeverErrors() throws IOException {
        assertThat(compile("--werror", file("a.x", "struct s { short x; };"))).isZero();
        assertThat(err()).contains("note[N123]");
    }
}
