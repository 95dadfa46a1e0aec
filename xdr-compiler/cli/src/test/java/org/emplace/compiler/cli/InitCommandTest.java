// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which files {@code xdrc init} makes. That they build and run, the tests of builds show. */
class InitCommandTest extends CommandTest {

    private static final String PROGRAM = """
        struct value { opaque bytes<>; };
        program KV_PROGRAM { version KV_V1 { void KV_PUT(value) = 1; } = 1; } = 0x20000001;
        """;

    @Test
    void aProgramGetsAServerAClientAndATest() throws IOException {
        String file = file("my-kv.x", PROGRAM);

        assertThat(init(file)).isZero();
        assertThat(err()).isEmpty();
        assertThat(files())
                .containsExactly(
                        "pom.xml",
                        "src/main/java/mykv/Client.java",
                        "src/main/java/mykv/Kv1Handler.java",
                        "src/main/java/mykv/Server.java",
                        "src/main/xdr/my-kv.ulb",
                        "src/main/xdr/my-kv.x",
                        "src/test/java/mykv/ServerTest.java");
        assertThat(out()).contains(project().resolve("pom.xml").toString()).endsWith(" && mvn verify\n");
        assertThat(made("src/main/xdr/my-kv.x")).isEqualTo(PROGRAM);
        assertThat(made("src/main/xdr/my-kv.ulb"))
                .contains(
                        "version KV_PROGRAM.KV_V1 { port 20200 }\n",
                        "\n/* opaque without a bound, in the arguments of KV_PUT */",
                        "\n/* item value.bytes { eligible } */\n");
        assertThat(made("src/main/java/mykv/Kv1Handler.java"))
                .contains("public void put(Value args, ServerCall call) throws Exception {");
        assertThat(made("pom.xml"))
                .contains("<artifactId>my-kv</artifactId>")
                .doesNotContainPattern("\\{\\{|@[\\w.]+@");
    }

    @Test
    void itsBindingIsAcceptedWithoutWarningAlsoOnceSuggestionsAreFollowed() throws IOException {
        init(file("kv.x", PROGRAM));
        Path sidecar = project().resolve("src/main/xdr/kv.ulb");
        String xdr = project().resolve("src/main/xdr/kv.x").toString();

        assertThat(compile("--werror", xdr)).isZero();
        assertThat(err()).isEmpty();
        Files.writeString(sidecar, Files.readString(sidecar).replaceAll("(?m)^/\\* (item .*) \\*/$", "$1"));
        assertThat(compile("--werror", xdr)).isZero();
        assertThat(output().resolve("p/Value.java")).content().contains("record Value(Payload bytes)");
    }

    @Test
    void aSidecarOfAnIncludedFileIsNotIgnoredSilently() throws IOException {
        file("types.x", "struct picture { opaque pixels<4000000>; };");
        file("types.ulb", "item picture.pixels { eligible }");
        String program = "program P { version V { picture GET(void) = 1; } = 1; } = 0x20000300;";

        assertThat(init(file("main.x", "#include \"types.x\"\n" + program))).isZero();
        assertThat(err()).contains("types.ulb: warning[W312]: this sidecar has no effect: `");
    }

    @Test
    void thePackageIsTheUsersChoice() throws IOException {
        assertThat(run(
                        "init",
                        "--directory",
                        project().toString(),
                        "--package",
                        "org.example.kv",
                        file("kv.x", PROGRAM)))
                .isZero();
        assertThat(made("src/main/java/org/example/kv/Server.java")).startsWith("package org.example.kv;\n");
        assertThat(run("init", "--package", "org.class", file("kv.x", PROGRAM))).isEqualTo(ExitStatus.USAGE);
        assertThat(err()).isEqualTo("xdrc init: `org.class` is not a Java package name; try xdrc init --help\n");
    }

    @Test
    void aFileNameThatIsNoPackageNameBecomesOne() throws IOException {
        for (String name : List.of("class.x", "2-way.x", "-.x", "\u00fc.x")) {
            Path directory = folder.resolve("of " + name);
            assertThat(run("init", "--directory", directory.toString(), file(name, PROGRAM)))
                    .isZero();
        }
        assertThat(folder.resolve("of class.x/src/main/java/class_/Server.java"))
                .isRegularFile();
        assertThat(folder.resolve("of 2-way.x/src/main/java/way/Server.java")).isRegularFile();
        assertThat(folder.resolve("of -.x/src/main/java/protocol/Server.java")).isRegularFile();
        assertThat(folder.resolve("of \u00fc.x/src/main/java/protocol/Server.java"))
                .isRegularFile();
    }

    @Test
    void typesAloneBecomeALibrary() throws IOException {
        assertThat(init(file("types.x", "struct point { int x; };"))).isZero();
        assertThat(files()).containsExactly("pom.xml", "src/main/xdr/types.x");
        assertThat(made("pom.xml"))
                .contains("<shareDefinitions>true")
                .doesNotContain("<artifactId>junit", "exec-maven-plugin");
    }

    /** The versions that a project with a program builds with, also offline; those that Maven would choose may not be there. */
    @Test
    void typesAloneAreBuiltWithTheSamePlugins() throws IOException {
        assertThat(init(file("types.x", "struct point { int x; };"))).isZero();

        assertThat(made("pom.xml"))
                .contains(
                        "<artifactId>maven-compiler-plugin</artifactId>",
                        "<artifactId>maven-surefire-plugin</artifactId>");
    }

    @Test
    void eachVersionHasAHandlerAndOnesThatAreCalledBackHaveNone() throws IOException {
        String file = file(
                "a.x",
                "program A { /*@ddp port 1 */ version ONE { int GET(int) = 1; } = 1;"
                        + " version TWO { void NOTHING(void) = 0; hyper GET(int) = 1; } = 2; } = 1;"
                        + " program B { /*@ddp direction backward */ version B1 { void TELL(int) = 1; } = 1; } = 2;");

        assertThat(init(file)).isZero();
        assertThat(files()).contains("src/main/java/a/A1Handler.java", "src/main/java/a/A2Handler.java");
        assertThat(files()).noneMatch(each -> each.contains("B1"));
        assertThat(made("src/main/java/a/Client.java")).contains("{A1.PROGRAM, A2.PROGRAM}");
        assertThat(made("src/main/xdr/a.ulb")).contains("version A.TWO {").doesNotContain("A.ONE", "B.B1");
    }

    @Test
    void ownClassesHaveOtherNamesThanGeneratedOnes() throws IOException {
        assertThat(init(file("a.x", "struct server { int x; }; struct CLIENT { int y; };" + PROGRAM)))
                .isZero();
        assertThat(made("src/main/java/a/Server_.java")).contains("public final class Server_ {");
        assertThat(made("src/main/java/a/Client_.java")).contains("Server_.DEFAULT_ADDRESS");
        assertThat(made("pom.xml")).contains("a.Server_ ${address}</commandlineArgs>");
    }

    @Test
    void anExistingSidecarIsKept() throws IOException {
        String file = file("kv.x", PROGRAM);
        String sidecar = "version KV_V1 { port 1 }";
        file("kv.ulb", sidecar);

        assertThat(init(file)).isZero();
        assertThat(made("src/main/xdr/kv.ulb")).isEqualTo(sidecar);
    }

    @Test
    void includedFilesComeAlong() throws IOException {
        file("common/limits.h", "const LIMIT = SIZE;");
        file("main/sub/key.x", "typedef opaque key<LIMIT>;");
        String file = file("main/kv.x", "#include <limits.h>\n#include \"sub/key.x\"\nstruct value { key name; };\n");

        assertThat(run(
                        "init",
                        "--directory",
                        project().toString(),
                        "-I",
                        folder.resolve("common").toString(),
                        "-D",
                        "SIZE=8",
                        "-U",
                        "RPC_HDR",
                        "--standard",
                        file("main/plain.x", "struct s { int x; };")))
                .isZero();
        assertThat(made("pom.xml"))
                .contains("<SIZE>8</SIZE>", "<undefine>RPC_HDR</undefine>", "<standard>true</standard>")
                .doesNotContain("include");
        Path including = folder.resolve("including");
        assertThat(run(
                        "init",
                        "--directory",
                        including.toString(),
                        "-I",
                        folder.resolve("common").toString(),
                        "-DSIZE=8",
                        file))
                .isZero();
        assertThat(including.resolve("src/main/xdr/sub/key.x")).isRegularFile();
        assertThat(including.resolve("src/main/include/limits.h")).isRegularFile();
        assertThat(including.resolve("pom.xml"))
                .content()
                .contains("<include>kv.x</include>", "<includeDirectory>${project.basedir}/src/main/include<");
    }

    @Test
    void anIncludedFileThatHasNoPlaceInTheProjectIsAnError() throws IOException {
        file("limits.h", "const LIMIT = 8;");
        String file = file("main/kv.x", "#include \"../limits.h\"\nstruct s { opaque key<LIMIT>; };");

        assertThat(init(file)).isEqualTo(ExitStatus.INPUT_ERRORS);
        assertThat(err())
                .isEqualTo("xdrc init: " + file + " includes " + folder.resolve("limits.h")
                        + ", which cannot be copied into the project; move it to the folder of " + file
                        + ", or name a directory above it by -I\n");
        assertThat(project()).doesNotExist();
    }

    @Test
    void nothingIsOverwritten() throws IOException {
        String file = file("kv.x", PROGRAM);
        file("project/src/main/java/kv/Server.java", "mine");

        assertThat(init(file)).isEqualTo(ExitStatus.IO_FAILURE);
        assertThat(err())
                .isEqualTo("xdrc init: " + project().resolve("src/main/java/kv/Server.java")
                        + " already exists; choose another --directory\n");
        assertThat(files()).containsExactly("src/main/java/kv/Server.java");
    }

    @Test
    void aFileInItsPlaceStays() throws IOException {
        String file = file("project/src/main/xdr/kv.x", PROGRAM);

        assertThat(init(file)).isZero();
        assertThat(files()).contains("src/main/xdr/kv.x", "src/main/xdr/kv.ulb", "pom.xml");
    }

    @Test
    void errorsCreateNoFiles() throws IOException {
        assertThat(init(file("a.x", "struct s { nowhere x; };"))).isEqualTo(ExitStatus.INPUT_ERRORS);
        assertThat(err()).contains("error[E202]");
        assertThat(init(file("b.x", "/* nothing */"))).isEqualTo(ExitStatus.INPUT_ERRORS);
        assertThat(err()).isEqualTo("xdrc init: " + folder.resolve("b.x") + " defines nothing\n");
        assertThat(init(folder.resolve("nowhere.x").toString())).isEqualTo(ExitStatus.IO_FAILURE);
        assertThat(project()).doesNotExist();
        assertThat(run("init")).isEqualTo(ExitStatus.USAGE);
    }

    @Test
    void aDirectoryThatCannotBeCreatedIsAnError() throws IOException {
        String blocked = file("blocked", "");

        assertThat(run("init", "--directory", blocked, file("kv.x", PROGRAM))).isEqualTo(ExitStatus.IO_FAILURE);
        assertThat(err()).startsWith("xdrc init: cannot write " + blocked);
    }

    private int init(String file) {
        return run("init", "--directory", project().toString(), file);
    }

    private Path project() {
        return folder.resolve("project");
    }

    private String made(String file) throws IOException {
        return Files.readString(project().resolve(file), StandardCharsets.UTF_8);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.walk(project())) {
            return files.filter(Files::isRegularFile)
                    .map(file -> project().relativize(file).toString().replace('\\', '/'))
                    .sorted()
                    .toList();
        }
    }
}
