// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainCaptureCommandTest {
    private static final String CAPTURE = "../capture/src/test/resources/capture/nfs3-iwarp.pcapng";
    private static final Path NFS3 = Path.of("../../spec/nfs3.x");

    @TempDir
    private Path folder = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void aCaptureWithoutViolationsIsSuccess() {
        assertThat(xdrc(CAPTURE, NFS3.toString())).isZero();
        assertThat(out.toString()).contains("Write chunk 1 <- READ3resok.data, 9,001 of 9,216 bytes");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void trafficThatViolatesTheBindingIsReported() throws IOException {
        String other = Files.readString(NFS3)
                .replace("/*@ddp eligible as argument */\n    opaque     data<>", "opaque data<>");
        Path definition = Files.writeString(folder.resolve("nfs3.x"), other);

        assertThat(xdrc("--violations", CAPTURE, definition.toString())).isEqualTo(1);
        assertThat(out.toString().lines())
                .hasSize(6)
                .contains(
                        "    VIOLATION: a Read chunk carries WRITE3args.data, which the binding does not make eligible here"
                                + " (rfc5666bis-01 4.4.1, RFC 8166 3.4.2)",
                        "connections: 3, calls: 14, replies: 14, other messages: 0, violations: 1");
    }

    @Test
    void errorsInDefinitionsAreWrongUsage() throws IOException {
        Path definition = Files.writeString(folder.resolve("a.x"), "struct s { nowhere x; };");

        assertThat(xdrc(CAPTURE, definition.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("error[E202]");
    }

    @Test
    void anUnreadableFileIsReportedInOneLine() {
        assertThat(xdrc(NFS3.toString())).isEqualTo(3);
        assertThat(xdrc("no/such.pcap")).isEqualTo(3);
        assertThat(err.toString().lines())
                .containsExactly(
                        "xdrc explain-capture: cannot read ../../spec/nfs3.x further: at byte 0 of the file:"
                                + " this is neither pcap nor pcapng: it begins with 0x2f2a2053",
                        "xdrc explain-capture: cannot read or write no/such.pcap: no such file or directory");
    }

    private int xdrc(String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "explain-capture";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return Xdrc.run(new PrintWriter(out), new PrintWriter(err), all);
    }
}
