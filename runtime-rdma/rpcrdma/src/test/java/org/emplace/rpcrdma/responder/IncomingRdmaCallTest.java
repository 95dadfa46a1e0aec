// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.emplace.rdma.Completion;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.rpc.transport.Timekeeper;
import org.emplace.rpcrdma.link.CallCredits;
import org.emplace.rpcrdma.link.TestLink;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a call's answer leaves, and what the call holds until then. */
final class IncomingRdmaCallTest {
    private static final int POOLED = 1 << 20;

    @AutoClose
    private final RdmaProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS);

    private final TestLink peer = new TestLink(provider, Timekeeper.system("test"));
    private final RegisteredPool pool = peer.link.memory().pool();
    private final CallCredits credits = peer.link.receives().credits();
    private final IncomingRdmaCall call = ArgumentItemsTest.receivedCall(peer.link, peer.received());
    private final List<String> events = new ArrayList<>();

    IncomingRdmaCallTest() throws Exception {}

    @Test
    void theAnswerWaitsForAllUsesOfTheCallsData() {
        call.useBegins();
        call.useBegins();
        call.answer(() -> events.add("answer"));
        assertThatThrownBy(call::useBegins).isInstanceOf(IllegalStateException.class);
        call.useEnded();
        assertThat(events).isEmpty();

        call.useEnded();
        assertThat(events).containsExactly("answer");
        assertThatThrownBy(() -> call.answer(() -> {})).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anAcquiredBufferIsNoLongerAUse() throws Exception {
        call.acquire(100);
        call.answer(() -> events.add("answer"));

        assertThat(events).containsExactly("answer");
        assertThatThrownBy(() -> call.acquire(100)).isInstanceOf(IllegalStateException.class);
    }

    /** The peer may have one call in flight, and twice as many when it has given some up. */
    @Test
    void theCreditIsFreeWhenTheAnswerIsSent() {
        assertThat(credits.take()).isTrue();
        assertThat(credits.take()).isTrue();
        assertThat(credits.take()).isFalse();
        credits.giveBack();

        call.answer(() -> events.add(credits.take() ? "the credit is free" : "the credit is taken"));
        assertThat(events).containsExactly("the credit is free");
    }

    @Test
    void allBuffersAreReleasedOnceWhenTheAnswerHasBeenSent() throws Exception {
        call.whenOver(() -> events.add("over"));
        call.acquire(3000);
        call.newReply();
        call.answer(() -> {});
        assertThatThrownBy(() -> pool.acquire(POOLED)).isInstanceOf(RdmaException.class);
        assertThat(events).isEmpty();

        call.ended(Completion.Status.SUCCESS);
        pool.acquire(POOLED).release();
        assertThat(events).containsExactly("over");
        call.ended(Completion.Status.FLUSHED);
        assertThat(events).containsExactly("over");
    }

    @Test
    void aDroppedCallIsOver() {
        call.whenOver(() -> events.add("over"));
        call.drop();

        assertThat(events).containsExactly("over");
    }

    /** More replies than the pool has buffers of 1024 bytes. */
    @Test
    void anotherReplyReplacesTheEarlierOne() {
        for (int reply = 0; reply <= POOLED / 1024; reply++) {
            call.newReply().finish();
        }
        call.drop();
    }

    @Test
    void onlyLackOfLocalMemoryIsLackOfMemory() {
        RdmaException none = new RdmaException(RdmaException.Reason.NO_RESOURCES, "no memory");
        assertThat(IncomingRdmaCall.isLackOfMemory(none)).isTrue();
        assertThat(IncomingRdmaCall.isLackOfMemory(new CompletionException(none)))
                .isTrue();

        RdmaException over = new RdmaException(RdmaException.Reason.DISCONNECTED, "the connection is over");
        assertThat(IncomingRdmaCall.isLackOfMemory(over)).isFalse();
        assertThat(IncomingRdmaCall.isLackOfMemory(new CompletionException(over)))
                .isFalse();
        assertThat(IncomingRdmaCall.isLackOfMemory(new IOException("RDMA Read ended")))
                .isFalse();
    }

    @Test
    void aFileIsReadFromAnOffsetToTheLimitOrItsEnd(@TempDir Path folder) throws Exception {
        Path file = Files.write(folder.resolve("data"), new byte[] {1, 2, 3, 4, 5});
        try (FileChannel channel = FileChannel.open(file)) {
            assertThat(call.readFrom(channel, 1, 2).buffer()).isEqualTo(ByteBuffer.wrap(new byte[] {2, 3}));
            assertThat(call.readFrom(channel, 3, 100).buffer()).isEqualTo(ByteBuffer.wrap(new byte[] {4, 5}));
            assertThat(call.readFrom(channel, 9, 100).length()).isZero();
        }
        call.answer(() -> events.add("answer"));
        assertThat(events).as("no use is left").containsExactly("answer");
    }
}
