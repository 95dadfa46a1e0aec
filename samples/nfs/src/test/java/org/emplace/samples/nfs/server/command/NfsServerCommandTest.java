// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.emplace.samples.nfs.server.export.ExportArgument;
import org.emplace.samples.nfs.server.export.ExportDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
        assertThat(run("--exports", nothing)).isEqualTo("1 nfs-server: " + nothing + ": no such file\n");
        assertThat(run("--state", state, "--export", "nowhere://host/a=/name"))
                .startsWith(
                        "1 nfs-server: cannot export nowhere://host/a: no store for 'nowhere' is on the class path");
        assertThat(run("--state", state, "--export", "/")).startsWith("1 nfs-server: / is the whole system");
    }

    private static List<String> warnings(boolean toOthers, boolean callersAct, String... exports) throws Exception {
        List<ExportDefinition> definitions = new ArrayList<>();
        for (String export : exports) {
            definitions.add(ExportArgument.parse(export));
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
        assertThat(ExportSettings.stateFolder(Map.of("XDG_STATE_HOME", "/var/x")))
                .isEqualTo(Path.of("/var/x/emplace-nfs"));
        assertThat(ExportSettings.stateFolder(Map.of("XDG_STATE_HOME", "relative")))
                .isEqualTo(Path.of(System.getProperty("user.home"), ".local/state/emplace-nfs"));
        assertThat(ExportSettings.stateFolder(Map.of()))
                .isEqualTo(Path.of(System.getProperty("user.home"), ".local/state/emplace-nfs"));
    }
}
