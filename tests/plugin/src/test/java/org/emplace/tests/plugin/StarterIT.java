// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.emplace.compiler.cli.Xdrc;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code xdrc init} makes builds as it is, and its test passes over RDMA and over TCP. */
class StarterIT {
    private static final Path SPEC = Path.of("../../spec");

    @TempDir
    private Path home = Path.of("");

    @TempDir
    private Path directory = Path.of("");

    /** Programs, versions and names that the project's own classes would have too, before and after its suggestions are followed. */
    @Test
    void aProtocolWithOddNamesBuildsAndRuns() throws Exception {
        init(Path.of("src/test/resources/warehouse.x"));

        assertThat(testsOfBuild("mvn -B verify")).isEqualTo(2);
        Path sidecar = directory.resolve("src/main/xdr/warehouse.ulb");
        String followed = Files.readString(sidecar).replaceAll("(?m)^/\\* (item .*) \\*/$", "$1");
        assertThat(followed).contains("\nitem found.content { eligible; size unbounded }\n");
        Files.writeString(sidecar, followed);
        assertThat(testsOfBuild("mvn -B verify")).isEqualTo(2);
    }

    @Test
    void aSpecificationBuildsAndRuns() throws Exception {
        init(SPEC.resolve("nfs3.x"));

        assertThat(testsOfBuild("mvn -B verify")).isEqualTo(2);
    }

    @Test
    void typesAloneBuild() throws Exception {
        init(SPEC.resolve("rpcrdma1.x"));

        new UserShell(home, directory).run("mvn -B verify");
        assertThat(directory.resolve("target/rpcrdma1-1.jar")).isRegularFile();
        assertThat(directory.resolve("target/classes/META-INF/xdr/rpcrdma1/rpcrdma1.x"))
                .isRegularFile();
    }

    /** The build defines the same macros, and finds the included file, without the user's directories. */
    @Test
    void aProtocolWithMacrosAndIncludedFilesBuildsAndRuns() throws Exception {
        Path depot = Path.of("src/test/resources/depot");
        init(
                depot.resolve("depot.x"),
                "-D",
                "MAX_LABEL=32",
                "-I",
                depot.resolve("common").toString());

        assertThat(testsOfBuild("mvn -B verify")).isEqualTo(2);
    }

    /** The client's and the server's programs find each other without arguments. */
    @Test
    void theProgramsRun() throws Exception {
        init(Path.of("src/test/resources/warehouse.x"));

        assertThat(printedByClient("", ""))
                .contains(
                        "WAREHOUSE_PROGRAM version 1 answers at rdma://127.0.0.1:20200",
                        "WAREHOUSE_PROGRAM version 2 answers at rdma://127.0.0.1:20200");
    }

    @Test
    void theProgramsUseAddressesThatAreGiven() throws Exception {
        init(Path.of("src/test/resources/warehouse.x"));

        assertThat(printedByClient(
                        " -Daddress='rdma://127.0.0.1:20201 tcp://127.0.0.1:20202'",
                        " -Daddress=tcp://127.0.0.1:20202"))
                .contains("WAREHOUSE_PROGRAM version 1 answers at tcp://127.0.0.1:20202");
    }

    /** What the client prints while the server runs, each with these options of Maven. */
    private List<String> printedByClient(String serverOptions, String clientOptions) throws Exception {
        UserShell shell = new UserShell(home, directory);
        shell.run("mvn -q compile");
        Path log = home.resolve("server.log");
        Process server = shell.start("mvn -q exec:exec@server" + serverOptions, log);
        try {
            while (!Files.readString(log).contains("listening on ")) {
                assertThat(server.isAlive()).as(Files.readString(log)).isTrue();
                Thread.sleep(100);
            }
            List<String> printed = shell.run("mvn -q exec:exec@client" + clientOptions);
            assertThat(printed).noneMatch(line -> line.startsWith("SEVERE") || line.contains("Error"));
            return printed;
        } finally {
            UserShell.interrupt(server);
        }
    }

    private void init(Path file, String... options) {
        StringWriter err = new StringWriter();
        List<String> command = new ArrayList<>(List.of("init", "--directory", directory.toString()));
        command.addAll(List.of(options));
        command.add(file.toString());
        int status =
                Xdrc.run(new PrintWriter(new StringWriter()), new PrintWriter(err), command.toArray(String[]::new));
        assertThat(status).as(err.toString()).isZero();
    }

    /** How many tests the build ran, all of which passed. */
    private int testsOfBuild(String command) throws Exception {
        String total = new UserShell(home, directory)
                .run(command).stream()
                        .filter(line -> line.contains("Tests run: ") && !line.contains("Time elapsed"))
                        .findFirst()
                        .orElseThrow();
        assertThat(total).contains("Failures: 0, Errors: 0, Skipped: 0");
        return Integer.parseInt(total.replaceFirst(".*Tests run: (\\d+),.*", "$1"));
    }
}
