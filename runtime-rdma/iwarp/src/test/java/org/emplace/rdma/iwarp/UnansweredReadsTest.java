// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rdma.iwarp.framing.Wire;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A peer may have as many Reads outstanding as negotiated, and one more as soon as it has received a response. */
@Timeout(60)
final class UnansweredReadsTest {
    /** The length of a response to a Read of 8 bytes: header, payload and CRC. */
    private static final int RESPONSE = 16 + 8 + 4;

    private final AtomicInteger mayWrite = new AtomicInteger(Integer.MAX_VALUE);

    @Test
    void aResponseIsGivenWhenItsOwnLastByteIs() throws Exception {
        try (RawPeerSession session = RawPeerSession.established(this::limited)) {
            RemoteAccess access = session.expose(8, Right.REMOTE_READ);
            mayWrite.set(RESPONSE);
            byte[] first = RawPeer.fpdu(RawPeer.hex(request(1, access)));
            byte[] second = RawPeer.fpdu(RawPeer.hex(request(2, access)));
            session.peer.send(ByteBuffer.allocate(first.length + second.length)
                    .put(first)
                    .put(second)
                    .array());
            assertThat(opcode(session.peer.receiveFpdu())).isEqualTo(2);

            session.peer.sendFpdu(request(3, access));
            assertThat(session.peer.staysSilent()).isTrue();
            mayWrite.set(Integer.MAX_VALUE);
            assertThat(opcode(session.peer.receiveFpdu())).isEqualTo(2);
            assertThat(opcode(session.peer.receiveFpdu())).isEqualTo(2);
        }
    }

    private static int opcode(byte[] ulpdu) {
        return ulpdu[1] & 0xf;
    }

    private static String request(int sequence, RemoteAccess access) {
        return String.format(
                "4141 00000000 00000001 %08x 00000000 00000001 0000000000000000 00000008 %s %s",
                sequence, RawPeerSession.stag(access), RawPeerSession.offset(access, 0));
    }

    /** A socket that takes only a limited number of bytes. */
    private Wire limited(Wire wire) {
        return new Wire() {
            @Override
            public long read(ByteBuffer[] targets, int count) throws IOException {
                return wire.read(targets, count);
            }

            @Override
            public long write(ByteBuffer[] sources, int offset, int count) throws IOException {
                long taken = 0;
                for (int i = offset; i < offset + count && mayWrite.get() > 0; i++) {
                    ByteBuffer source = sources[i];
                    int end = source.limit();
                    source.limit(source.position() + Math.min(source.remaining(), mayWrite.get()));
                    long now = wire.write(sources, i, 1);
                    source.limit(end);
                    mayWrite.addAndGet((int) -now);
                    taken += now;
                }
                return taken;
            }
        };
    }
}
