// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.emplace.samples.nfs.server.export.ExportArgument;
import org.emplace.samples.nfs.server.export.ExportDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class NfsServerCommandTest {
    @TempDir
    Path temporary;

    /** The exit status and the output, in one text. */
    private static String run(String... arguments) {
        StringWriter written = new StringWriter();
        int status = NfsServerCommand.commandLine()
                .setOut(new PrintWriter(written, true))
                .setErr(new PrintWriter(written, true))
                .execute(arguments);
        return status + " " + written;
    }

    @Test
    void wrongUsageIsExplained() throws Exception {
        assertThat(run()).startsWith("2 nfs-server: nothing to export: give --export DIR or --exports FILE");
        assertThat(run("--export", "/srv/a:rw,fast")).startsWith("2 nfs-server: 'fast' is not an export option");
        assertThat(run("--export", "/srv/a", "--port", "70000"))
                .startsWith("2 nfs-server: port 70000 is not in 0 to 65535");
        assertThat(run("--export", "/srv/a", "--status-port", "70000"))
                .startsWith("2 nfs-server: port 70000 is not in 0 to 65535");
        assertThat(run("--export", "/srv/a", "--stats=-1"))
                .startsWith("2 nfs-server: --stats needs a number of seconds, not -1");
        assertThat(run("--identity", "caller")).startsWith("2 nfs-server: Unknown option");
        assertThat(run("help")).isEqualTo("2 nfs-server: 'help' is not an option\nTry 'nfs-server --help' for more.\n");
        Path file = Files.writeString(temporary.resolve("exports"), "\n/srv/a *(fast)\n");
        assertThat(run("--exports", file.toString()))
                .startsWith("2 nfs-server: " + file + ":2: 'fast' is not an export option");
    }

    @Test
    void anExportErrorIsOneLine() {
        String state = temporary.resolve("state").toString();
        String nothing = temporary.resolve("nothing").toString();
        assertThat(run("--state", state, "--export", nothing))
                .isEqualTo("1 nfs-server: " + nothing + ": no such directory\n");
        assertThat(run("--state", state, "--export", nothing + ":rww"))
                .startsWith("1 nfs-server: " + nothing + ":rww: no such directory; options after a ':' begin with one");
        assertThat(run("--exports", nothing)).startsWith("2 nfs-server: " + nothing + ": no such file\n");
        assertThat(run("--state", state, "--export", "nowhere://host/a=/name"))
                .startsWith(
                        "1 nfs-server: cannot export nowhere://host/a: no store for 'nowhere' is on the class path");
        assertThat(run("--state", state, "--export", "/")).startsWith("1 nfs-server: / is the whole system");
    }

    @Test
    void allErrorsOfTheConfigurationAreFoundAtOnce() throws Exception {
        Path good = Files.createDirectory(temporary.resolve("good"));
        Path file = Files.createFile(temporary.resolve("file"));
        String nothing = temporary.resolve("nothing").toString();
        String state = temporary.resolve("state").toString();
        assertThat(run("--check-config", "--state", state, "--export", good + ":fsid=1", "--export", nothing))
                .isEqualTo(
                        "1 nfs-server: warning: 'fsid=1' is ignored: the numbers of file systems follow from the path"
                                + " of the export\nnfs-server: " + nothing + ": no such directory\n");
        assertThat(run("--check-config", "--state", state, "--export", nothing, "--export", file.toString()))
                .isEqualTo("1 nfs-server: " + nothing + ": no such directory\nnfs-server: " + file
                        + ": not a directory\n");
        assertThat(run("--check-config", "--state", good + "/state", "--export", good.toString()))
                .startsWith("1 nfs-server: the state folder " + good + "/state is inside the export " + good);
        assertThat(run("--check-config", "--export", "/a:ro,fast", "--export", "/b:ro,slow"))
                .startsWith("2 nfs-server: 'fast' is not an export option")
                .contains("\nnfs-server: 'slow' is not an export option");
        assertThat(run("--check-config", "--state", state, "--export", good.toString()))
                .isEqualTo("0 no errors; exports: 1\n");
        assertThat(temporary.resolve("state")).doesNotExist();
    }

    @Test
    void aDirectoryOfExportsHasFilesOfOneEnding() throws Exception {
        Path good = Files.createDirectory(temporary.resolve("good"));
        Path folder = Files.createDirectory(temporary.resolve("exports.d"));
        Files.writeString(folder.resolve("a.exports"), good + " *(rw)\n");
        Files.writeString(folder.resolve("b.exports~"), "wrong\n");
        Files.writeString(folder.resolve(".exports"), "wrong\n");
        assertThat(run(
                        "--check-config",
                        "--state",
                        temporary.resolve("state").toString(),
                        "--exports",
                        folder.toString()))
                .isEqualTo("0 no errors; exports: 1\n");
        Files.writeString(folder.resolve("c.exports"), "wrong\n");
        assertThat(run("--check-config", "--exports", folder.toString()))
                .startsWith("2 nfs-server: " + folder.resolve("c.exports") + ":1: 'wrong' is not a directory");
    }

    @Test
    void optionsStandInAConfigurationFile() throws Exception {
        Path good = Files.createDirectory(temporary.resolve("good"));
        Path file = temporary.resolve("server.conf");
        Files.writeString(
                file,
                "# comment\n\nexport = " + good + ":rw\n  export=" + Files.createDirectory(temporary.resolve("b"))
                        + " \nport= 0\nstore = NIO\ndelegations\nregister = false\nstate = " + temporary + "/state\n");
        assertThat(run("--check-config", "--config", file.toString())).isEqualTo("0 no errors; exports: 2\n");
        assertThat(run("--config=" + file, "--check-config", "--export", good.toString(), "--port", "0"))
                .isEqualTo("0 no errors; exports: 1\n");
        assertThat(run("--config", file.toString(), "--version")).startsWith("0 nfs-server (Emplace");
    }

    @Test
    void errorsOfAConfigurationFileNameItsLines() throws Exception {
        Path file = temporary.resolve("server.conf");
        assertThat(run("--config", file.toString())).startsWith("2 nfs-server: " + file + ": no such file\n");
        Files.writeString(file, """
                exprot = /a
                port = 1
                port = 2
                tcp-port = many
                threads
                bind 0.0.0.0
                check-config
                -h
                register = perhaps
                """);
        String problems = run("--check-config", "--config", file.toString());
        assertThat(problems.lines().map(line -> line.replace(file + ":", "")))
                .hasSize(9)
                .startsWith(
                        "2 nfs-server: 1: 'exprot' is not an option of this file", "nfs-server: 3: 'port' is set twice")
                .contains(
                        "nfs-server: 6: there is no '=' between the option and its value",
                        "nfs-server: 7: 'check-config' is not an option of this file",
                        "nfs-server: 8: '-h' is not an option of this file");
        assertThat(problems).contains(":4: Invalid value for option '--tcp-port'", ":5: Missing", ":9: Invalid value");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void systemdIsToldWhenTheServerServes() throws Exception {
        Path good = Files.createDirectory(temporary.resolve("good"));
        Path bin = Files.createDirectory(temporary.resolve("bin"));
        Path command = Files.writeString(bin.resolve("systemd-notify"), "#!/bin/sh\necho \"told $NOTIFY_SOCKET $*\"\n");
        assertThat(command.toFile().setExecutable(true)).isTrue();
        Path file = Files.writeString(temporary.resolve("server.conf"), "export = " + good + "\n");
        ProcessBuilder starting = command("--config", file.toString());
        starting.environment().put("NOTIFY_SOCKET", "@name");
        starting.environment().merge("PATH", bin.toString(), (path, ours) -> ours + ":" + path);
        Process server = starting.start();
        try (BufferedReader lines = server.inputReader()) {
            awaitLine(lines, "listening tcp");
            awaitLine(lines, "told @name --ready");
            Files.writeString(file, "export = " + good + "\nexport = " + bin + "\n");
            hangUp(server);
            awaitLine(lines, "reloaded; exports: 2");
            Files.writeString(file, "exprot = " + good + "\n");
            hangUp(server);
            awaitLine(lines, "nfs-server: not reloaded, nothing has changed:");
            awaitLine(lines, "nfs-server: " + file + ":1: 'exprot' is not an option of this file");
        } finally {
            server.destroy();
        }
        assertThat(server.waitFor(20, TimeUnit.SECONDS)).isTrue();
    }

    /** The server in a process of its own, with free ports. */
    private ProcessBuilder command(String... arguments) {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                NfsServerCommand.class.getName(),
                "--state",
                temporary.resolve("state").toString(),
                "--port=0",
                "--mount-port=0"));
        line.addAll(List.of(arguments));
        return new ProcessBuilder(line).redirectErrorStream(true);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void exportsAreReadAgainAtSighup() throws Exception {
        Path first = Files.createDirectory(temporary.resolve("first"));
        Path second = Files.createDirectory(temporary.resolve("second"));
        Path exports = Files.writeString(temporary.resolve("exports"), first + " *(rw)\n");
        Process server = command("--exports", exports.toString()).start();
        try (BufferedReader lines = server.inputReader()) {
            awaitLine(lines, "listening tcp");
            Files.writeString(exports, first + " *(rw)\n" + second + "\n");
            hangUp(server);
            awaitLine(lines, "reloaded; exports: 2");
            Files.writeString(exports, first + " *(fast)\n");
            hangUp(server);
            awaitLine(lines, "nfs-server: not reloaded, nothing has changed:");
            awaitLine(lines, "nfs-server: " + exports + ":1: 'fast' is not an export option");
        } finally {
            server.destroy();
        }
        assertThat(server.waitFor(20, TimeUnit.SECONDS)).isTrue();
    }

    private static void hangUp(Process server) throws Exception {
        assertThat(new ProcessBuilder("kill", "-HUP", Long.toString(server.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    private static void awaitLine(BufferedReader lines, String beginning) throws Exception {
        String line = lines.readLine();
        while (line != null && !line.startsWith(beginning)) {
            line = lines.readLine();
        }
        assertThat(line).as("a line that begins with " + beginning).isNotNull();
    }

    private static List<String> warnings(boolean toOthers, boolean callersAct, String... exports) throws Exception {
        List<ExportDefinition> definitions = new ArrayList<>();
        for (String export : exports) {
            definitions.add(ExportArgument.parse(export, warning -> {}));
        }
        return Warnings.of(definitions, toOthers, callersAct);
    }

    @Test
    void openExportsCauseWarnings() throws Exception {
        assertThat(warnings(true, true, "/srv/a")).singleElement().asString().contains("exported to everybody");
        assertThat(warnings(true, true, "/srv/a:clients=*")).hasSize(1);
        assertThat(warnings(false, true, "/srv/a")).isEmpty();
        assertThat(warnings(true, true, "/srv/a:clients=0.0.0.0/0")).hasSize(1);
        assertThat(warnings(true, true, "/srv/a:clients=10.0.0.0/8+::/0")).hasSize(1);
        assertThat(warnings(true, true, "/srv/a:clients=10.0.0.0/8")).isEmpty();
        assertThat(warnings(false, true, "/srv/a:rw,no_root_squash"))
                .singleElement()
                .asString()
                .contains("can act as root");
        assertThat(warnings(false, true, "/srv/a:no_root_squash,all_squash")).isEmpty();
        assertThat(warnings(false, true, "/srv/a:no_root_squash,clients=10.0.0.1"))
                .isEmpty();
        assertThat(warnings(false, true, "/srv/a:rw,no_root_squash,clients=0.0.0.0/0"))
                .hasSize(1);
        assertThat(warnings(false, true, "/srv/a:rw,all_squash,anonuid=0"))
                .as("root without a credential")
                .singleElement()
                .asString()
                .contains("act as root");
        assertThat(warnings(false, true, "/srv/a:rw,anonuid=0,clients=10.0.0.1"))
                .isEmpty();
        assertThat(warnings(false, false, "/srv/a:rw,no_root_squash")).isEmpty();
        assertThat(warnings(false, true, "/srv/a:rw,no_root_squash,sec=krb5p")).isEmpty();
        assertThat(warnings(false, true, "/srv/a:rw,anonuid=0,sec=krb5p,clients=10.0.0.1"))
                .as("root without being a user")
                .singleElement()
                .asString()
                .contains("every principal that is no user");
        assertThat(warnings(false, true, "/srv", "/srv/a"))
                .singleElement()
                .asString()
                .startsWith("/srv/a is inside /srv");
    }

    /** The directory is missing, so that the server does not start. */
    @ParameterizedTest
    @ValueSource(strings = {"--keytab", "--principal", "--principal-map"})
    void anOptionOfKerberosForNoExportCausesAWarning(String option) {
        String nothing = temporary.resolve("nothing").toString();
        assertThat(run("--state", temporary.resolve("state").toString(), "--export", nothing, option, "x"))
                .isEqualTo("1 nfs-server: warning: " + option
                        + " has no effect: no export lists sec=krb5, krb5i or krb5p\n" + "nfs-server: " + nothing
                        + ": no such directory\n");
    }

    @Test
    void theStateFolderFollowsTheXdgSpecification() {
        assertThat(ExportSettings.usualState(Map.of("XDG_STATE_HOME", "/var/x"), "/home/a"))
                .contains(Path.of("/var/x/emplace-nfs"));
        assertThat(ExportSettings.usualState(Map.of("XDG_STATE_HOME", "relative"), "/home/a"))
                .contains(Path.of("/home/a/.local/state/emplace-nfs"));
        assertThat(ExportSettings.usualState(Map.of(), "/home/a"))
                .contains(Path.of("/home/a/.local/state/emplace-nfs"));
        assertThat(ExportSettings.usualState(Map.of(), "?"))
                .as("of a user that passwd(5) does not have, the JDK knows no home directory")
                .isEmpty();
    }
}
