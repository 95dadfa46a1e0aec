// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Captures of real sessions: one of the sample client and server by dumpcap, and those of the Linux kernel's client and server. */
class RecordedCapturesTest {
    static final Path RECORDED = Path.of("src/test/resources/capture/nfs3-iwarp.pcapng");

    @Test
    void aSessionOfTheSampleIsExplained() throws IOException {
        List<String> lines = Pcap.linesOf(Files.readAllBytes(RECORDED), Pcap.meaning("nfs3.x"));

        assertThat(lines)
                .contains(
                        "    Write chunk 1 <- READ3resok.data, 9,001 of 9,216 bytes",
                        "        handle 0x3fba8563, 9,001 of 9,216 bytes; 9,001 written by 1 RDMA Write",
                        "    Read chunk at position 116 -> WRITE3args.data, 9,003 bytes",
                        "    Reply chunk <- the reply itself, 2,308 of 131,624 bytes",
                        "connections: 3, calls: 14, replies: 14, other messages: 0, violations: 0")
                .noneMatch(line -> line.contains("note:"));
        assertThat(lines.get(0))
                .isEqualTo("0.006063  127.0.0.1:37776 -> 127.0.0.1:23456  set-up: sends up to 8,192 bytes inline,"
                        + " receives up to 8,192");
    }

    @Test
    void withoutDefinitionsItemsHaveNoNames() throws IOException {
        List<String> lines = Pcap.linesOf(Files.readAllBytes(RECORDED), Pcap.meaning());

        assertThat(lines)
                .contains(
                        "    Read chunk at position 116 -> an unknown item, 9,003 bytes",
                        "    Write chunk 1 <- an unknown item, 9,001 of 9,216 bytes",
                        "    note: arguments are not decoded: no given .x file defines the procedure",
                        "connections: 3, calls: 14, replies: 14, other messages: 0, violations: 0")
                .anyMatch(line -> line.contains("call procedure 6 of program 100003 version 3, xid"));
    }

    @Test
    void linuxsNfs3IsExplained() throws IOException {
        assertThat(ofLinux("linux-nfs3-iwarp.txt", "nfs3.x", "nfs_acl.x"))
                .contains(
                        "    Write chunk 1 <- READ3resok.data, 1,031 of 4,096 bytes",
                        "    Read chunk at position 112 -> WRITE3args.data, 4,099 bytes",
                        "    Reply chunk <- the reply itself, 704 of 65,664 bytes")
                .anyMatch(line -> line.endsWith("violations: 0"))
                .noneMatch(line -> line.contains("note:"));
    }

    @Test
    void linuxsNfs42IsExplainedWithItsCallBack() throws IOException {
        assertThat(ofLinux("linux-nfs42-iwarp.txt", "nfs42.x"))
                .contains(
                        "    Write chunk 1 <- READ4resok.data, 1,031 of 4,096 bytes",
                        "    Read chunk at position 180 -> WRITE4args.data, 4,099 bytes")
                .anyMatch(line -> line.contains("10.0.0.2:20049 -> 10.0.0.1:40000  call CB_COMPOUND"))
                .anyMatch(line -> line.contains("reply to CB_COMPOUND") && line.endsWith(": SUCCESS, NFS4_OK"))
                .anyMatch(line -> line.endsWith("violations: 0"))
                .noneMatch(line -> line.contains("note:"));
    }

    /** The recorded TCP segments, in plausible packets. */
    private List<String> ofLinux(String recording, String... definitions) throws IOException {
        Pcap file = new Pcap();
        IwarpTraffic traffic = new IwarpTraffic(file);
        traffic.handshake();
        Path text = Path.of("../../tests/interop/src/test/resources").resolve(recording);
        for (String line : Files.readAllLines(text)) {
            if (line.startsWith(">") || line.startsWith("<")) {
                int from = line.startsWith(">") ? IwarpTraffic.CLIENT : IwarpTraffic.SERVER;
                traffic.bytes(from, HexFormat.of().parseHex(line.substring(2)));
            }
        }
        return file.explained(Pcap.meaning(definitions));
    }
}
