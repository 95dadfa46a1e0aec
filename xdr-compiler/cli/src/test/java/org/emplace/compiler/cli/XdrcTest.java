// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XdrcTest {

    @TempDir
    private Path folder = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void compilesIntoTheOutputFolder() throws IOException {
        Path file = Files.writeString(folder.resolve("a.x"), "struct s { int x; };");

        assertThat(xdrc("compile", "--output", output().toString(), "--package", "org.example", file.toString()))
                .isZero();
        assertThat(output().resolve("org/example/S.java")).isRegularFile();
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void errorsAreShownAtTheirPlaceAndNothingIsWritten() throws IOException {
        Path file = Files.writeString(folder.resolve("a.x"), "struct s {\n\tnowhere x;\n};");

        assertThat(xdrc("compile", "--output", output().toString(), "--package", "org.example", file.toString()))
                .isEqualTo(1);
        assertThat(err.toString()).isEqualTo("""
                        %s:2:2: error[E202]: there is no type `nowhere`
                            \tnowhere x;
                            \t^^^^^^^
                            hint: if another file defines it, compile that file too
                        more: xdrc explain E202
                        """.formatted(file));
        assertThat(output()).doesNotExist();
    }

    @Test
    void aSidecarOfAFileThatIsOnlyIncludedIsNotIgnoredSilently() throws IOException {
        Path types = Files.writeString(folder.resolve("types.x"), "struct picture { opaque pixels<4000000>; };");
        Files.writeString(folder.resolve("types.ulb"), "item picture.pixels { eligible }");
        Path main = Files.writeString(
                folder.resolve("main.x"),
                "#include \"types.x\"\nprogram P { version V { void PUT(picture) = 1; } = 1; } = 0x20000001;");

        assertThat(xdrc("check", main.toString())).isZero();
        assertThat(err.toString())
                .contains("types.ulb: warning[W312]: this sidecar has no effect: `")
                .contains("types.x` is only included");

        err.getBuffer().setLength(0);
        assertThat(xdrc("check", main.toString(), types.toString())).isZero();
        assertThat(err.toString()).doesNotContain("W312");
    }

    @Test
    void controlCharactersAreEscaped() throws IOException {
        Path file = folder.resolve("\u001b[31ma.x");
        Files.writeString(file, "struct s {\n\tint \u001b[2J; /* \u202e\u009b */ nowhere\u2066x;\n};");

        assertThat(xdrc("compile", "--output", output().toString(), "--package", "org.example", file.toString()))
                .isEqualTo(1);
        assertThat(err.toString()).isEqualTo("""
                        %s/\\u001b[31ma.x:2:6: error[E103]: unexpected character U+001B
                            \tint \\u001b[2J; /* \\u202e\\u009b */ nowhere\\u2066x;
                            \t    ^^^^^^
                        more: xdrc explain E103
                        """.formatted(folder));
    }

    @Test
    void jsonIsAscii() throws IOException {
        Path file = Files.writeString(folder.resolve("\u009b\u001b.x"), "struct s { x \u202e; };");

        xdrc("compile", "--format", "json", "--output", "o", "--package", "p", file.toString());
        assertThat(err.toString()).contains("\\u009B\\u001B.x").matches("[ -~]+\n");
    }

    @Test
    void wrongUsageIsOneLine() {
        assertThat(xdrc("compile", "--package", "org.example")).isEqualTo(2);
        assertThat(err.toString().lines()).hasSize(1).first().asString().startsWith("xdrc compile: Missing required");
    }

    @Test
    void aMissingFileIsReportedWithoutJavaNames() {
        assertThat(xdrc("compile", "--output", output().toString(), "--package", "p", "no/such.x"))
                .isEqualTo(3);
        assertThat(err.toString().lines())
                .containsExactly(
                        "no/such.x: error[E108]: cannot be read: no such file or directory", "more: xdrc explain E108");
    }

    @Test
    void aHugeFileIsRejectedWithoutReadingAllOfIt() throws IOException {
        Path file = folder.resolve("endless.x");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(1L << 40);
        }

        assertThat(xdrc("compile", "--output", output().toString(), "--package", "p", file.toString()))
                .isEqualTo(3);
        assertThat(err.toString()).startsWith(file + ": error[E108]: cannot be read: it has more than 4000000 bytes\n");
        assertThat(xdrc("extract", file.toString())).isEqualTo(3);
    }

    @Test
    void everyCommandPrintsItsVersion() {
        assertThat(xdrc("compile", "--version")).isZero();
        assertThat(out.toString()).startsWith("xdrc ");
    }

    @Test
    void aSemicolonMissingBeforeAClauseIsReported() throws IOException {
        Path file =
                Files.writeString(folder.resolve("a.x"), "struct s {\n int x\n /*@ddp eligible */\n opaque y<>;\n};");

        assertThat(xdrc("compile", "--output", output().toString(), "--package", "p", file.toString()))
                .isEqualTo(1);
        assertThat(err.toString())
                .startsWith(file + ":4:2: error[E101]: expected `;`, found `opaque`\n")
                .contains(file + ":2:7: note: the `;` is missing here\n");
    }

    @Test
    void aTypingErrorIsRecognized() throws IOException {
        Path file = Files.writeString(
                folder.resolve("a.x"),
                "typedef int caption;\nstruct s { captoin x; };\n"
                        + "union u switch (bool b) { case TRUE: int y; case FALLSE: void; };");

        assertThat(xdrc("compile", "--output", output().toString(), "--package", "p", file.toString()))
                .isEqualTo(1);
        assertThat(err.toString())
                .contains("there is no type `captoin`", "hint: did you mean `caption`?")
                .contains("there is no constant or enumerator `FALLSE`", "hint: did you mean `FALSE`?");
    }

    @Test
    void anotherSingleLetterIsNotATypingError() throws IOException {
        Path file = Files.writeString(folder.resolve("a.x"), "typedef int a;\nstruct s { x y; };");

        xdrc("compile", "--output", output().toString(), "--package", "p", file.toString());
        assertThat(err.toString()).contains("there is no type `x`").doesNotContain("did you mean");
    }

    @Test
    void aPackageNameIsChecked() {
        assertThat(xdrc("compile", "--output", "o", "--package", "org.class", "a.x"))
                .isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly("xdrc compile: `org.class` is not a Java package name; try xdrc compile --help");
    }

    @Test
    void aMissingCommandIsReported() {
        assertThat(xdrc()).isEqualTo(2);
        assertThat(err.toString().lines()).hasSize(1);
    }

    @Test
    void helpIsPrinted() {
        assertThat(xdrc("compile", "--help")).isZero();
        assertThat(out.toString()).contains("--output", "--package", "FILE");
    }

    @Test
    void theCommandHelpPrintsWhatTheOptionHelpDoes() {
        assertThat(xdrc("compile", "--help")).isZero();
        String ofCompile = out.toString();
        out.getBuffer().setLength(0);

        assertThat(xdrc("help", "compile")).isZero();
        assertThat(out.toString()).isEqualTo(ofCompile);
    }

    @Test
    void theCommandHelpAloneListsTheCommands() {
        assertThat(xdrc("help")).isZero();
        assertThat(out.toString()).contains("Usage: xdrc", "  compile ", "  explain-capture ", "  help ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"comple", "help comple"})
    void aCommandThatDoesNotExistIsWrongUsage(String arguments) {
        assertThat(xdrc(arguments.split(" ", -1))).isEqualTo(2);
        assertThat(err.toString()).isEqualTo("xdrc: there is no command `comple`; try xdrc --help\n");
    }

    @Test
    void outputThatCannotBeWrittenIsOneLine() throws IOException {
        Path file = Files.writeString(folder.resolve("a.x"), "struct s { int x; };");
        Path blocked = Files.writeString(folder.resolve("blocked"), "");

        assertThat(xdrc("compile", "--output", blocked.toString(), "--package", "org.example", file.toString()))
                .isEqualTo(3);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("xdrc compile: cannot write " + blocked);
    }

    @Test
    void colorFollowsTheOption() throws IOException {
        Path file = Files.writeString(folder.resolve("a.x"), "struct s { nowhere x; };");

        assertThat(xdrc("compile", "--color", "always", "--output", "o", "--package", "p", file.toString()))
                .isEqualTo(1);
        assertThat(err.toString())
                .startsWith("\u001b[1m" + file + ":1:12:\u001b[0m \u001b[1;31merror[E202]:\u001b[0m there is no type");
    }

    @Test
    void jsonIsAnObjectForEachDiagnostic() throws IOException {
        Path file = Files.writeString(folder.resolve("a.x"), "struct s { int \"; };\nenum e { A = 1, A = 2 };");

        assertThat(xdrc("compile", "--format", "json", "--output", "o", "--package", "p", file.toString()))
                .isEqualTo(1);
        assertThat(err.toString().lines())
                .containsExactly(
                        "{\"code\":\"E103\",\"severity\":\"error\",\"message\":\"unexpected character `\\\"`\","
                                + "\"primary\":{\"file\":\"" + file
                                + "\",\"line\":1,\"column\":16,\"length\":1},\"notes\":[]}");
    }

    @Test
    void jsonHasNotesAndHints() throws IOException {
        Path file = Files.writeString(folder.resolve("a.x"), "struct a { b other; }; struct b { a other; };");

        xdrc("compile", "--format", "json", "--output", output().toString(), "--package", "p", file.toString());
        assertThat(err.toString())
                .contains("\"notes\":[{\"file\":\"" + file + "\",\"line\":1,\"column\":31,\"length\":1,"
                        + "\"message\":\"through `b`\"}],\"hint\":\"make one of the members optional (*)");
    }

    @Test
    void anEmptyFileIsReported() throws IOException {
        Path file = Files.writeString(folder.resolve("a.x"), "");

        assertThat(xdrc("compile", "--output", output().toString(), "--package", "p", file.toString()))
                .isZero();
        assertThat(err.toString()).startsWith(file + ": warning[W112]: this file defines nothing\n");
    }

    @Test
    void explainsACode() {
        assertThat(xdrc("explain", "e202")).isZero();
        assertThat(out.toString())
                .startsWith("E202: an undefined type\n\nNo file of this run defines")
                .contains(
                        "\nExample\n\n    typedef string caption<100>;\n",
                        "\nFix\n\n",
                        "error[E202]: there is no type");
    }

    @Test
    void listsAllCodes() {
        assertThat(xdrc("explain")).isZero();
        assertThat(out.toString().lines()).contains("E202  an undefined type", "W320  a version without a binding");
    }

    @Test
    void aCodeThatDoesNotExistIsWrongUsage() {
        assertThat(xdrc("explain", "E999")).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("xdrc explain: there is no code `E999`; xdrc explain alone lists them all\n");
    }

    @Test
    void macrosAndIncludeDirectoriesComeFromOptions() throws IOException {
        Path file = Files.writeString(
                folder.resolve("a.x"),
                "#include <b.h>\n#if SIZE == 8 && defined(FLAG)\nstruct s { b x[SIZE]; };\n#endif");
        Path include = Files.createDirectory(folder.resolve("include"));
        Files.writeString(include.resolve("b.h"), "typedef int b;");

        assertThat(xdrc(
                        "compile",
                        "-DSIZE=8",
                        "-D",
                        "FLAG",
                        "-I",
                        include.toString(),
                        "--output",
                        output().toString(),
                        "--package",
                        "p",
                        file.toString()))
                .isZero();
        assertThat(output().resolve("p/S.java")).isRegularFile();
        assertThat(xdrc("compile", "-URPC_HDR", "--output", "o", "--package", "p", file.toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains("error[E112]: there is no file `b.h`");
    }

    @Test
    void onlyStandardXdrIsAcceptedOnRequest() throws IOException {
        Path file = Files.writeString(folder.resolve("a.x"), "struct s { short x; short y; };");

        assertThat(xdrc("compile", "--standard", "--output", "o", "--package", "p", file.toString()))
                .isEqualTo(1);
        assertThat(err.toString().lines().filter(line -> line.contains("error[N123]")))
                .hasSize(2);
    }

    @Test
    void xdrIsExtractedFromADocument() throws IOException {
        Path document = Files.writeString(folder.resolve("rfc.txt"), "   struct s {\n      int x;\n   };\n");
        Path empty = Files.writeString(folder.resolve("empty.txt"), "");

        assertThat(xdrc("extract", document.toString())).isZero();
        assertThat(out.toString()).isEqualTo("struct s {\n   int x;\n};\n\n");
        assertThat(xdrc("extract", empty.toString())).isEqualTo(1);
        assertThat(err.toString()).isEqualTo("xdrc extract: there is no XDR in " + empty + "\n");
    }

    @Test
    void comparesFoldersOfFiles() throws IOException {
        Path before = Files.createDirectories(folder.resolve("before"));
        Path after = Files.createDirectories(folder.resolve("after"));
        for (Path side : List.of(before, after)) {
            Files.writeString(side.resolve("one.x"), "struct s { t x; };");
        }
        Files.writeString(before.resolve("other.x"), "typedef opaque t<4>;");
        Files.writeString(after.resolve("another.x"), "typedef opaque t<8>;");

        assertThat(xdrc("compare", before.toString(), after.toString())).isEqualTo(1);
        assertThat(out.toString()).contains("wire-breaking: t: bound raised from 4 to 8");
        assertThat(xdrc("compare", before.toString(), before.toString())).isZero();
        assertThat(xdrc("compare", folder.resolve("nowhere").toString(), after.toString()))
                .isEqualTo(3);
    }

    @Test
    void comparesForPeopleAndForPrograms() throws IOException {
        String before =
                Files.writeString(folder.resolve("a.x"), "struct s { int x; };").toString();
        String after = Files.writeString(folder.resolve("b.x"), "struct s { hyper x; };")
                .toString();

        assertThat(xdrc("compare", before, after)).isEqualTo(1);
        assertThat(xdrc("compare", before, before)).isZero();
        assertThat(xdrc("compare", "--format", "json", before, after)).isEqualTo(1);
        assertThat(xdrc("compare", before, "nowhere.x")).isEqualTo(3);
        assertThat(out.toString().lines())
                .containsExactly(
                        "wire-breaking: s.x: was int, is hyper",
                        "    old and new peers encode it in different ways",
                        "API-breaking: class S: no longer declares int x(), new S(int)",
                        "    code that uses it no longer compiles, and compiled code fails to link",
                        "no change",
                        "{\"effect\":\"wire-breaking\",\"where\":\"s.x\",\"what\":\"was int, is hyper\","
                                + "\"why\":\"old and new peers encode it in different ways\"}",
                        "{\"effect\":\"API-breaking\",\"where\":\"class S\","
                                + "\"what\":\"no longer declares int x(), new S(int)\","
                                + "\"why\":\"code that uses it no longer compiles, and compiled code fails to link\"}");
    }

    @Test
    void writesADocument() throws IOException {
        String file = Files.writeString(
                        folder.resolve("a.x"),
                        "program P { /*@ddp port 1 */ version V { int GET(int) = 1; } = 1; } = 1;")
                .toString();
        Path page = folder.resolve("a.html");

        assertThat(xdrc("document", "--output", page.toString(), "--title", "GET", file))
                .isZero();
        assertThat(page).content().startsWith("<!DOCTYPE html>").contains("<title>GET</title>");
        assertThat(xdrc("document", "--output", "a.pdf", file)).isEqualTo(2);
    }

    private Path output() {
        return folder.resolve("output");
    }

    private int xdrc(String... args) {
        return Xdrc.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }
}
