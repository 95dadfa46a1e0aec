// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.emplace.samples.nfs.server.state.TestedState.assertStatus;

import java.util.Optional;
import java.util.Set;
import org.emplace.samples.nfs.server.state.Sessions.Resend;
import org.emplace.samples.nfs.server.state.Sessions.SequenceRequest;
import org.emplace.samples.nfs.server.state.Sessions.SequenceResult;
import org.emplace.samples.nfs.server.state.Sessions.Sequenced;
import org.emplace.samples.nfs.server.state.StateException.Status;
import org.emplace.samples.nfs.server.state.TestedState.Peer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** SEQUENCE, its slots, and the connections of sessions. */
class SessionsTest {
    private final TestedState state = new TestedState();
    private final Sessions sessions = state.table.sessions();
    private Peer peer;

    @BeforeEach
    void connect() throws StateException {
        peer = state.peer("host");
    }

    private Sequenced sequence(int slot, int number, Object fingerprint) throws StateException {
        return sessions.sequence(peer.request(slot, number, fingerprint), peer.connection);
    }

    private SlotCall begin(int slot, int number) throws StateException {
        return (SlotCall) sequence(slot, number, "request " + number);
    }

    @Test
    void aNewRequestIsPerformed() throws StateException {
        SlotCall call = begin(0, 1);
        assertThat(call.result()).isEqualTo(new SequenceResult(3, 3, Set.of()));
        assertThat(call.clientId()).isEqualTo(peer.id);
        assertThat(call.session()).isEqualTo(peer.session.id());
        assertThat(call.attributes()).isEqualTo(peer.session.fore());
        call.finish("reply");
        begin(0, 2).finish("reply");
    }

    @Test
    void aResentRequestGetsTheReplyThatWasKept() throws StateException {
        begin(0, 1).finish("reply 1");
        for (int i = 0; i < 3; i++) {
            assertThat(sequence(0, 1, "request 1"))
                    .isEqualTo(new Resend(new SequenceResult(3, 3, Set.of()), Optional.of("reply 1")));
        }
        begin(0, 2).finishUncached();
        assertThat(((Resend) sequence(0, 2, "request 2")).reply()).isEmpty();
    }

    /** Whatever the connection: the reply belongs to the slot. */
    @Test
    void aRequestIsResentByAnotherConnection() throws StateException {
        begin(0, 1).finish("reply");
        assertThat(((Resend) sessions.sequence(peer.request(0, 1, "request 1"), "another connection")).reply())
                .contains("reply");
    }

    @Test
    void anotherRequestWithTheSameSequenceIdIsAFalseRetry() throws StateException {
        begin(0, 1).finish("reply");
        assertStatus(Status.SEQ_FALSE_RETRY, () -> sequence(0, 1, "another request"));
    }

    @Test
    void sequenceIdsComeInOrder() throws StateException {
        for (int number : new int[] {0, 2, -1}) {
            assertStatus(Status.SEQ_MISORDERED, () -> begin(0, number));
        }
        begin(0, 1).finish("reply");
        begin(0, 2).finish("reply");
        for (int number : new int[] {0, 1, 4, 5, -1}) {
            assertStatus(Status.SEQ_MISORDERED, () -> begin(0, number));
        }
    }

    @Test
    void slotsAreIndependent() throws StateException {
        SlotCall first = begin(0, 1);
        begin(1, 1).finish("reply of slot 1");
        begin(1, 2).finish("reply of slot 1");
        first.finish("reply of slot 0");
        assertThat(((Resend) sequence(0, 1, "request 1")).reply()).contains("reply of slot 0");
    }

    @Test
    void aRequestThatIsBeingPerformedIsDelayed() throws StateException {
        SlotCall call = begin(0, 1);
        assertStatus(Status.DELAY, () -> begin(0, 1));
        assertStatus(Status.SEQ_MISORDERED, () -> begin(0, 2));
        assertStatus(Status.SEQ_MISORDERED, () -> begin(0, 0));
        call.finish("reply");
        assertThat(sequence(0, 1, "request 1")).isInstanceOf(Resend.class);
    }

    @Test
    void aCallEndsOnce() throws StateException {
        SlotCall call = begin(0, 1);
        call.finish("reply");
        assertThatIllegalStateException().isThrownBy(call::finishUncached);
        assertThatIllegalStateException().isThrownBy(call::withdraw);
    }

    @Test
    void aWithdrawnCallLeavesTheSlotAsItWas() throws StateException {
        begin(0, 1).withdraw();
        assertStatus(Status.SEQ_MISORDERED, () -> begin(0, 0));
        begin(0, 1).finish("reply 1");
        begin(0, 2).withdraw();
        assertThat(((Resend) sequence(0, 1, "request 1")).reply()).contains("reply 1");
        begin(0, 2).finish("reply 2");
    }

    @Test
    void slotsAndSizesAreChecked() {
        SessionId id = peer.session.id();
        assertStatus(Status.BADSLOT, () -> begin(4, 1));
        assertStatus(Status.BADSLOT, () -> begin(-1, 1));
        assertStatus(Status.BAD_HIGH_SLOT, () -> send(new SequenceRequest(id, 1, 0, 4, 1, 100, "")));
        assertStatus(Status.TOO_MANY_OPS, () -> send(new SequenceRequest(id, 1, 0, 0, 17, 100, "")));
        assertStatus(Status.REQ_TOO_BIG, () -> send(new SequenceRequest(id, 1, 0, 0, 16, 8193, "")));
        assertStatus(
                Status.BADSESSION, () -> send(new SequenceRequest(new SessionId(peer.id, 4711), 1, 0, 0, 1, 100, "")));
    }

    private Sequenced send(SequenceRequest request) throws StateException {
        return sessions.sequence(request, peer.connection);
    }

    @Test
    void onlyABoundConnectionDestroysASession() throws StateException {
        SessionId id = peer.session.id();
        assertStatus(Status.CONN_NOT_BOUND_TO_SESSION, () -> sessions.destroy(id, "stranger", null));
        sessions.bind(id, "bound");
        sessions.connectionClosed("bound");
        assertStatus(Status.CONN_NOT_BOUND_TO_SESSION, () -> sessions.destroy(id, "bound", null));
        sessions.sequence(peer.request(0, 1, ""), "bound by SEQUENCE");
        assertStatus(Status.DELAY, () -> sessions.destroy(id, "bound by SEQUENCE", null));
    }

    @Test
    void aSessionIsDestroyedByItsOwnLastCall() throws StateException {
        SlotCall other = begin(0, 1);
        SlotCall call = begin(1, 1);
        assertStatus(Status.DELAY, () -> sessions.destroy(peer.session.id(), peer.connection, call));
        other.finish("reply");
        sessions.destroy(peer.session.id(), peer.connection, call);
        call.finish("reply");
        assertStatus(Status.BADSESSION, () -> begin(1, 1));
        assertStatus(Status.BADSESSION, () -> sessions.bind(peer.session.id(), peer.connection));
        assertStatus(Status.BADSESSION, () -> sessions.destroy(peer.session.id(), peer.connection, null));
        assertThat(state.exchange("host").isConfirmed()).isTrue();
    }

    /** Trunking: sessions and connections are many to many. */
    @Test
    void sessionsShareAConnection() throws StateException {
        Peer second = state.peer("second");
        assertThat(sessions.sequence(second.request(0, 1, ""), peer.connection)).isInstanceOf(SlotCall.class);
        sessions.destroy(peer.session.id(), peer.connection, null);
        assertThat(sessions.sequence(second.request(1, 1, ""), peer.connection)).isInstanceOf(SlotCall.class);
    }
}
