// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.reactor.LogSampler;
import org.emplace.reactor.ManualClock;
import org.emplace.rpc.ConnectionOptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** When posted work requests have ended, and what becomes of a peer that takes less than 100 bytes a minute. */
final class SendQueueTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @AutoClose
    private final RdmaProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS);

    private final MemoryRegion memory;
    private final ManualClock clock = new ManualClock();
    private final TestLink peer = new TestLink(provider, clock);
    private final List<String> calls = peer.calls;
    private final List<Status> ended = new ArrayList<>();
    private final SendQueue queue = new SendQueue(
            peer.queuePair,
            clock,
            ConnectionOptions.DEFAULT.withTransferTimeout(MINUTE).withMinimumDrain(100),
            new LogSampler());

    SendQueueTest() throws Exception {
        memory = provider.register(ByteBuffer.allocateDirect(1000));
    }

    @Test
    void aRequestEndsWithItsCompletion() {
        WorkRequest send = post(10);
        assertThat(calls).containsExactly("post");
        assertThat(ended).isEmpty();

        queue.completed(Completion.success(send));
        assertThat(ended).containsExactly(Status.SUCCESS);
        queue.completed(Completion.success(send));
        assertThat(ended).hasSize(1);
    }

    @Test
    void requestsThatWerePostedTogetherEndWithTheLastAndTheFirstFailure() {
        int id = queue.newId();
        List<WorkRequest> requests = List.of(send(id, 10), send(id, 20), send(id, 30));
        queue.post(id, requests, ended::add);
        queue.completed(Completion.success(requests.get(0)));
        queue.completed(Completion.failure(requests.get(1), Status.REMOTE_ERROR));
        assertThat(ended).isEmpty();

        queue.completed(Completion.failure(requests.get(2), Status.FLUSHED));
        assertThat(ended).containsExactly(Status.REMOTE_ERROR);
    }

    @Test
    void theLastMayBeTheFirstToFail() {
        int id = queue.newId();
        List<WorkRequest> requests = List.of(send(id, 10), send(id, 20));
        queue.post(id, requests, ended::add);
        queue.completed(Completion.success(requests.get(0)));
        queue.completed(Completion.failure(requests.get(1), Status.LOCAL_ERROR));
        assertThat(ended).containsExactly(Status.LOCAL_ERROR);
    }

    @Test
    void aListOfOneRequestEndsWithIt() {
        int id = queue.newId();
        queue.post(id, List.of(send(id, 10)), ended::add);
        queue.completed(Completion.success(send(id, 10)));
        assertThat(ended).containsExactly(Status.SUCCESS);
    }

    @Test
    void idsAreDistinct() {
        assertThat(queue.newId()).isNotEqualTo(queue.newId());
    }

    @Test
    void whatHasNotEndedIsFlushedOnceTheConnectionIsOver() {
        WorkRequest early = post(10);
        post(20);
        queue.completed(Completion.success(early));
        queue.disconnected();
        assertThat(ended).containsExactly(Status.SUCCESS, Status.FLUSHED);
        queue.disconnected();
        assertThat(ended).hasSize(2);
    }

    @Test
    void whatIsPostedOnceTheConnectionIsOverIsFlushedAtOnce() {
        queue.disconnected();
        post(10);
        int id = queue.newId();
        queue.post(id, List.of(send(id, 10), send(id, 10)), ended::add);

        assertThat(ended).containsExactly(Status.FLUSHED, Status.FLUSHED);
        assertThat(calls).isEmpty();
        assertThat(clock.scheduled()).isZero();
    }

    @Test
    void aPeerThatTakesTooLittleLosesItsConnection() {
        List<WorkRequest> sends = List.of(post(60), post(60), post(60), post(60));
        queue.completed(Completion.success(sends.get(0)));
        queue.completed(Completion.success(sends.get(1)));
        passMinute();
        assertThat(calls).doesNotContain("close");

        queue.completed(Completion.success(sends.get(2)));
        passMinute();
        assertThat(calls).contains("close");
    }

    @Test
    void soDoesOneThatTakesTooLittleOfSeveralPostedTogether() {
        int id = queue.newId();
        List<WorkRequest> requests = List.of(send(id, 60), send(id, 60), send(id, 60));
        queue.post(id, requests, ended::add);
        queue.completed(Completion.success(requests.get(0)));
        queue.completed(Completion.success(requests.get(1)));
        passMinute();
        assertThat(calls).containsExactly("posts");
        passMinute();
        assertThat(calls).containsExactly("posts", "close");
    }

    /** It need not take more than what waits. */
    @Test
    void aPeerThatTakesTheLastBytesKeepsItsConnection() {
        WorkRequest first = post(200);
        WorkRequest last = post(10);
        queue.completed(Completion.success(first));
        passMinute();
        queue.completed(Completion.success(last));
        post(10);
        passMinute();
        assertThat(calls).doesNotContain("close");
        passMinute();
        assertThat(calls).contains("close");
    }

    @Test
    void nobodyWatchesWhereNothingWaits() {
        WorkRequest failed = post(60);
        assertThat(clock.scheduled()).isEqualTo(1);
        queue.completed(Completion.failure(failed, Status.REMOTE_ERROR));
        passMinute();
        assertThat(clock.scheduled()).isZero();
        assertThat(calls).doesNotContain("close");
    }

    @Test
    void theWatchEndsWithTheConnection() {
        post(60);
        queue.disconnected();
        assertThat(clock.scheduled()).isZero();
    }

    private WorkRequest post(int length) {
        WorkRequest send = send(queue.newId(), length);
        queue.post(send, ended::add);
        return send;
    }

    private WorkRequest send(int id, int length) {
        return new WorkRequest.Send(id, List.of(memory.segment(0, length)), OptionalInt.empty());
    }

    private void passMinute() {
        clock.pass(MINUTE);
    }
}
