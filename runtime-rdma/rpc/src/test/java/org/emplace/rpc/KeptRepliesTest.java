// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.emplace.rpc.TotalProgram.ADD;
import static org.emplace.rpc.TotalProgram.ADD_LATER;
import static org.emplace.rpc.TotalProgram.FILL;
import static org.emplace.rpc.TotalProgram.GIVE_UNREADABLE;
import static org.emplace.rpc.TotalProgram.call;
import static org.emplace.rpc.TotalProgram.send;
import static org.emplace.rpc.TotalProgram.sendAndAwaitItsTurn;

import org.emplace.RpcServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which replies a server keeps, and how it answers duplicates without a reply. */
@Timeout(300)
final class KeptRepliesTest {
    private static final int XID = 0x1234_5678;

    private final TotalProgram program = new TotalProgram();

    @Test
    void theOldestRepliesAreDroppedIfThereAreTooMany() throws Exception {
        try (RpcServer two = program.builder().replyCache(2, 1 << 20).start();
                RawTcpPeer peer = new RawTcpPeer("127.0.0.1", two)) {
            call(peer, 1, ADD, 1);
            call(peer, 2, ADD, 1);
            call(peer, 3, ADD, 1);

            assertThat(call(peer, 2, ADD, 1)).endsWith(0, 2);
            assertThat(call(peer, 3, ADD, 1)).endsWith(0, 3);
            assertThat(call(peer, 1, ADD, 1)).as("run again").endsWith(0, 4);
            assertThat(call(peer, 2, ADD, 1)).as("run again").endsWith(0, 5);
        }
    }

    @Test
    void callsOfOneProcedureDoNotDisplaceTheRepliesOfOthers() throws Exception {
        try (RpcServer four = program.builder().replyCache(4, 1 << 20).start();
                RawTcpPeer peer = new RawTcpPeer("127.0.0.1", four)) {
            call(peer, 1, FILL, 1);
            call(peer, 2, FILL, 1);
            for (int xid = 3; xid < 100; xid++) {
                call(peer, xid, ADD, 1);
            }
            int total = program.total.get();

            call(peer, 1, FILL, 1);
            call(peer, 2, FILL, 1);
            assertThat(call(peer, 99, ADD, 1)).endsWith(0, total);
            assertThat(program.total).as("nothing has been run again").hasValue(total);
        }
    }

    @Test
    void callsOfOnePeerDoNotDisplaceTheRepliesOfOthers() throws Exception {
        try (RpcServer four = program.builder().replyCache(4, 1 << 20).start();
                RawTcpPeer peer = new RawTcpPeer("127.0.0.1", four);
                RawTcpPeer busy = new RawTcpPeer("127.0.0.2", four)) {
            call(peer, 1, ADD, 1);
            call(peer, 2, ADD, 1);
            for (int xid = 3; xid < 100; xid++) {
                call(busy, xid, ADD, 1);
            }

            assertThat(call(peer, 1, ADD, 1)).endsWith(0, 1);
            assertThat(call(peer, 2, ADD, 1)).endsWith(0, 2);
            assertThat(call(busy, 99, ADD, 1)).endsWith(0, 99);
        }
    }

    @Test
    void theReplyThatHasJustBeenSentIsKept() throws Exception {
        try (RpcServer one = program.builder().replyCache(1, 1 << 20).start();
                RawTcpPeer first = new RawTcpPeer("127.0.0.1", one);
                RawTcpPeer second = new RawTcpPeer("127.0.0.2", one)) {
            call(first, 1, ADD, 1);
            call(second, 2, ADD, 1);

            assertThat(call(second, 2, ADD, 1)).as("a duplicate").endsWith(0, 2);
        }
    }

    @Test
    void theOldestRepliesAreDroppedIfTheyAreTooLong() throws Exception {
        int keptBytes = 8; // the message after the verifier
        int words = 7;
        try (RpcServer small =
                        program.builder().replyCache(1000, 256L * keptBytes).start();
                RawTcpPeer peer = new RawTcpPeer("127.0.0.1", small)) {
            for (int xid = 1; xid <= 257; xid++) {
                call(peer, xid, ADD, 1);
            }
            assertThat(call(peer, 2, ADD, 1)).endsWith(0, 2);
            assertThat(call(peer, 1, ADD, 1)).as("run again").endsWith(0, 258);
            assertThat(call(peer, XID, FILL, 0)).hasSize(words);
            assertThat(call(peer, XID, FILL, 1)).hasSize(words + 1);
            call(peer, XID, FILL, 1);
            assertThat(program.total)
                    .as("a reply of more than a 256th of the bytes is not kept")
                    .hasValue(260);
        }
    }

    @Test
    void aServerMayKeepNoReplies() throws Exception {
        try (RpcServer forgetful = program.builder().threads(1).replyCache(0, 0).start();
                RawTcpPeer first = new RawTcpPeer("127.0.0.1", forgetful);
                RawTcpPeer second = new RawTcpPeer("127.0.0.1", forgetful)) {
            call(first, XID, ADD, 5);
            assertThat(call(first, XID, ADD, 5)).as("run again").endsWith(0, 10);

            send(first, XID, ADD_LATER, 5);
            await().until(() -> program.later.size() == 1);
            sendAndAwaitItsTurn(second, XID, ADD_LATER, 5);
            program.completeLater();
            assertThat(second.receive())
                    .as("the duplicate of a call that runs")
                    .isEqualTo(first.receive())
                    .endsWith(0, 15);
        }
    }

    @Test
    void aWaitingDuplicateIsDroppedIfTheReplyCannotBeRead() throws Exception {
        try (RpcServer narrow = program.builder()
                        .threads(1)
                        .options(ConnectionOptions.DEFAULT.withCredits(2))
                        .start();
                RawTcpPeer first = new RawTcpPeer("127.0.0.1", narrow);
                RawTcpPeer second = new RawTcpPeer("127.0.0.1", narrow)) {
            send(first, XID, GIVE_UNREADABLE, 5);
            await().until(() -> program.later.size() == 1);
            sendAndAwaitItsTurn(second, XID, GIVE_UNREADABLE, 5);
            program.completeLater();

            send(second, XID + 1, ADD_LATER, 1);
            send(second, XID + 2, ADD_LATER, 1);
            await().untilAsserted(() -> assertThat(program.later)
                    .as("two calls, for which there are two credits")
                    .hasSize(2));
            program.completeLater();
            assertThat(second.receive()).startsWith(XID + 1).endsWith(0, 6);
        }
    }
}
