// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.capture.CaptureExplainer.MalformedCapture;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.source.SourceFile;

/** A pcap file that is written packet by packet, and its explanation. */
final class Pcap {
    static final int ETHERNET = 1;
    static final int RAW = 101;
    static final int COOKED = 113;
    static final int COOKED_2 = 276;

    private final ByteArrayOutputStream file = new ByteArrayOutputStream();
    private final int linkType;
    private final boolean isIpv6;
    private int snapLength = Integer.MAX_VALUE;
    private int time;

    Pcap() {
        this(ETHERNET, false);
    }

    Pcap(int linkType, boolean isIpv6) {
        this.linkType = linkType;
        this.isIpv6 = isIpv6;
        little(0xa1b2c3d4).write(new byte[12], 0, 12);
        little(1 << 18);
        little(linkType);
    }

    /** Truncates packets from now on. */
    void cutAt(int length) {
        snapLength = length;
    }

    /** Adds a packet of the hosts 10.0.0.1 and 10.0.0.2. */
    void packet(int protocol, int from, int to, byte[] transport) {
        int type = isIpv6 ? 0x86dd : 0x0800;
        Words link = new Words();
        switch (linkType) {
            case ETHERNET -> link.and(new byte[12]).shorts(type);
            case COOKED -> link.and(new byte[14]).shorts(type);
            case COOKED_2 -> link.shorts(type).and(new byte[18]);
            default -> link.and();
        }
        Words packet = isIpv6
                ? link.octets(0x60, 0, 0, 0)
                        .shorts(transport.length)
                        .octets(protocol, 64)
                        .wide(0x20010db8L << 32)
                        .wide(from)
                        .wide(0x20010db8L << 32)
                        .wide(to)
                : link.octets(0x45, 0)
                        .shorts(20 + transport.length, 0, 0)
                        .octets(64, protocol)
                        .shorts(0)
                        .and(0x0a000000 | from, 0x0a000000 | to);
        byte[] bytes = packet.and(transport).toBytes();
        int captured = Math.min(bytes.length, snapLength);
        little(time / 1000);
        little(time++ % 1000 * 1000);
        little(captured);
        little(bytes.length).write(bytes, 0, captured);
    }

    private ByteArrayOutputStream little(int word) {
        file.writeBytes(ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(word)
                .array());
        return file;
    }

    byte[] bytes() {
        return file.toByteArray();
    }

    /** Its explanation, line by line, with the definition of its messages. */
    List<String> lines() {
        return explained(meaning(Messages.PROTOCOL));
    }

    List<String> explained(JavaModel meaning) {
        try {
            return linesOf(bytes(), meaning);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> linesOf(byte[] capture, JavaModel meaning) throws IOException {
        List<String> lines = new ArrayList<>();
        CaptureExplainer.explain(
                new ByteArrayInputStream(capture), meaning.protocol(), meaning.binding(), false, lines::add);
        return lines;
    }

    /** Explains a capture with random corrupted bytes, many times: it may fail only with {@link MalformedCapture}. */
    static void explainSpoilt(byte[] whole, JavaModel meaning, int times) throws IOException {
        Random random = new Random(42);
        for (int i = 0; i < times; i++) {
            byte[] spoilt = whole.clone();
            for (int spots = 1 + random.nextInt(20); spots > 0; spots--) {
                spoilt[random.nextInt(spoilt.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(linesOf(spoilt, meaning)).isNotEmpty();
            } catch (MalformedCapture e) {
                assertThat(e).hasMessageStartingWith("at byte ");
            }
        }
    }

    /** What definitions mean: XDR text, or the names of files of {@code spec/}. */
    static JavaModel meaning(String... sources) {
        List<SourceFile> files = new ArrayList<>();
        for (String source : sources) {
            try {
                files.add(
                        source.endsWith(".x")
                                ? SourceFile.read(Path.of("../../spec").resolve(source), source)
                                : new SourceFile("test.x", source));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return XdrCompiler.analyze(files).meaning().orElseThrow();
    }
}
