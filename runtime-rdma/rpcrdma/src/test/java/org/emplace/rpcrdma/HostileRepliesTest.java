// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destination;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replies with a few of their words changed: every call ends, and no memory stays behind. */
final class HostileRepliesTest {
    private static final int CALLS = 100;
    private static final int LIMIT = 1 << 24;
    private static final int RESULT = 5000;
    private static final CallOptions OPTIONS = CallOptions.DEFAULT.withUnboundedReplySize(RESULT);
    private static final int[] WORDS = {
        0, 1, 2, 3, 4, 5, 8, 44, 259, 4996, 5000, 5001, 1 << 16, 1 << 30, Integer.MAX_VALUE, Integer.MIN_VALUE, -1, -4
    };

    @AutoClose
    private final OneDevice device = new OneDevice(LIMIT);

    HostileRepliesTest() throws Exception {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aCallEndsWhateverItsReplySays(long seed) throws Exception {
        Random random = new Random(seed);
        int ended = 0;
        while (ended < CALLS) {
            try (RawPeer server = new RawPeer(RawPeer.privateData(false));
                    RpcConnection client = device.transport.connect(server.listen(), ConnectionOptions.DEFAULT)) {
                for (int call = 0; call < CALLS / 4; call++) {
                    answered(client, server, random);
                    ended++;
                }
            }
        }
        device.awaitAllIsFree();
    }

    /** Makes a call that the server answers with a changed reply, and then with an error, in case that the reply was for no call. */
    private static void answered(RpcConnection client, RawPeer server, Random random) throws Exception {
        boolean placed = random.nextBoolean();
        RpcCall<?> call = placed
                ? client.call(
                        Blobs.GET,
                        List.of((long) RESULT),
                        Blobs.into(Destination.into(ByteBuffer.allocateDirect(RESULT))),
                        OPTIONS)
                : client.call(Blobs.ECHO, XdrOpaque.of(new byte[] {1, 2, 3, 4}), Destinations.none(), OPTIONS);
        int[] header = nextCall(server);
        // The Reply chunk is said to hold a reply, and nothing has been put there.
        Words valid = placed ? Words.placed(header, 8, RESULT) : Words.inReplyChunk(header, 8, 40);
        int[] reply = Words.of(valid.bytes());
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            reply[random.nextInt(reply.length)] = WORDS[random.nextInt(WORDS.length)];
        }
        server.send(new Words().and(reply));
        server.send(Words.header(header[0], 8, 4).and(2));
        try {
            call.await();
        } catch (RpcException failed) {
            assertThat(failed.kind()).isNotIn(RpcException.Kind.DISCONNECTED, RpcException.Kind.TIMED_OUT);
        }
    }

    /** A reply that was changed into a call has been answered before. */
    private static int[] nextCall(RawPeer server) throws Exception {
        int[] message;
        do {
            message = server.receive();
        } while (IntStream.of(message).noneMatch(word -> word == (int) Blobs.PROGRAM.number()));
        return message;
    }
}
