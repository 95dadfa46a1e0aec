// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import org.emplace.compiler.cli.Xdrc;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program in one jar with all that it needs, made by maven-shade-plugin without any configuration. */
class ShadedJarIT {
    private static final String SHADE = """
                  <plugin>
                    <artifactId>maven-shade-plugin</artifactId>
                    <version>3.6.1</version>
                    <executions><execution><phase>package</phase><goals><goal>shade</goal></goals></execution></executions>
                  </plugin>
                </plugins>
            """;

    @TempDir
    private Path home = Path.of("");

    @TempDir
    private Path directory = Path.of("");

    /** Such a jar has one of the files that list transports; over RDMA, the program needs a provider as well. */
    @Test
    void aProgramInOneJarUsesEachTransport() throws Exception {
        init(Path.of("src/test/resources/warehouse.x"));
        Path pom = directory.resolve("pom.xml");
        Files.writeString(pom, Files.readString(pom).replaceFirst(" *</plugins>\\n", SHADE));
        UserShell shell = new UserShell(home, directory);
        shell.run("mvn -B -q -DskipTests package");
        try (JarFile jar =
                new JarFile(directory.resolve("target/warehouse-1.jar").toFile())) {
            assertThat(jar.stream().filter(entry -> entry.getName().endsWith(".RpcTransport$Factory")))
                    .as("this jar is one of those that the test is about")
                    .hasSize(1);
        }
        Path log = home.resolve("server.log");
        Process server = shell.start(
                "exec java -cp target/warehouse-1.jar warehouse.Server_ rdma://127.0.0.1:20211 tcp://127.0.0.1:20212",
                log);
        try {
            while (!Files.readString(log).contains("listening on ")) {
                assertThat(server.isAlive()).as(Files.readString(log)).isTrue();
                Thread.sleep(100);
            }
            for (String address : List.of("rdma://127.0.0.1:20211", "tcp://127.0.0.1:20212")) {
                assertThat(shell.run("java -cp target/warehouse-1.jar warehouse.Client_ " + address))
                        .contains("WAREHOUSE_PROGRAM version 1 answers at " + address);
            }
        } finally {
            UserShell.interrupt(server);
        }
    }

    private void init(Path file) {
        StringWriter err = new StringWriter();
        int status = Xdrc.run(
                new PrintWriter(new StringWriter()),
                new PrintWriter(err),
                "init",
                "--directory",
                directory.toString(),
                file.toString());
        assertThat(status).as(err.toString()).isZero();
    }
}
