// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.state.TestedState.FILE;
import static org.emplace.samples.nfs.server.state.TestedState.LEASE;
import static org.emplace.samples.nfs.server.state.TestedState.assertStatus;
import static org.emplace.samples.nfs.server.state.TestedState.file;
import static org.emplace.samples.nfs.server.state.TestedState.opaque;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.emplace.samples.nfs.server.state.Callback.HeldAttributes;
import org.emplace.samples.nfs.server.state.Callback.Kind;
import org.emplace.samples.nfs.server.state.Callback.Outcome;
import org.emplace.samples.nfs.server.state.Delegations.Decision;
import org.emplace.samples.nfs.server.state.Delegations.Granted;
import org.emplace.samples.nfs.server.state.Delegations.Refused;
import org.emplace.samples.nfs.server.state.Delegations.Want;
import org.emplace.samples.nfs.server.state.Opens.Share;
import org.emplace.samples.nfs.server.state.Sessions.SequenceFlag;
import org.emplace.samples.nfs.server.state.StateException.Status;
import org.emplace.samples.nfs.server.state.TestedState.Peer;
import org.junit.jupiter.api.Test;

/** Delegations, who gets them, and the callbacks that recall them. */
final class RecallsTest {
    private static final long CHANGE = 17;
    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    private final TestedState state = new TestedState();
    private final Delegations delegations = state.table.delegations();

    /** A client that the server can call back. */
    private Peer holder() throws StateException {
        Peer holder = state.peer("holder");
        state.table.backChannels().configure(holder.session.id(), Optional.of("program"));
        state.table.backChannels().bind(holder.session.id(), holder.connection);
        return holder;
    }

    private Decision grant(Peer peer, FileKey file, int access, Want want) throws StateException {
        return delegations.grant(peer.id, file, peer.open(file, access, Share.NONE), want, opaque("handle"), CHANGE);
    }

    private StateId granted(Peer peer, FileKey file, int access, Want want) throws StateException {
        return ((Granted) grant(peer, file, access, want)).stateId();
    }

    private void change(FileKey file) throws StateException {
        delegations.change(Delegations.NOBODY, file).end();
    }

    private Callback callback() {
        assertThat(state.callbacks).isNotEmpty();
        return state.callbacks.remove(0);
    }

    @Test
    void aDelegationSuitsTheOpenUnlessTheClientWantsAnother() throws StateException {
        Peer holder = holder();
        assertThat(((Granted) grant(holder, file("a"), Share.READ, Want.ANY)).isWrite())
                .isFalse();
        assertThat(((Granted) grant(holder, file("b"), Share.WRITE, Want.ANY)).isWrite())
                .isTrue();
        assertThat(((Granted) grant(holder, file("c"), Share.BOTH, Want.READ)).isWrite())
                .isFalse();
        assertThat(((Granted) grant(holder, file("d"), Share.BOTH, Want.WRITE)).isWrite())
                .isTrue();
        assertThat(((Granted) grant(holder, file("e"), Share.READ, Want.WRITE)).isWrite())
                .as("of a file that is open to be read")
                .isFalse();
        assertThat(grant(holder, file("a"), Share.READ, Want.READ)).isEqualTo(Refused.CONTENTION);
        assertThat(grant(holder, file("a"), Share.BOTH, Want.WRITE)).isEqualTo(Refused.NO_UPGRADE);
        assertThat(grant(holder, file("b"), Share.READ, Want.READ)).isEqualTo(Refused.NO_DOWNGRADE);
    }

    @Test
    void aClientThatCannotBeCalledGetsNone() throws StateException {
        assertThat(grant(state.peer("other"), FILE, Share.READ, Want.ANY)).isEqualTo(Refused.RESOURCE);
        Peer holder = holder();
        state.table.sessions().connectionClosed(holder.connection);
        assertThat(grant(holder, FILE, Share.READ, Want.ANY)).isEqualTo(Refused.RESOURCE);
    }

    @Test
    void opensOfOthersAndChangesThatAreInProgressPreventDelegations() throws StateException {
        Peer holder = holder();
        Peer other = state.peer("other");
        other.open(file("read"), Share.READ, Share.NONE);
        assertThat(grant(holder, file("read"), Share.BOTH, Want.WRITE)).isEqualTo(Refused.CONTENTION);
        assertThat(grant(holder, file("read"), Share.READ, Want.READ)).isInstanceOf(Granted.class);
        other.open(file("written"), Share.WRITE, Share.NONE);
        assertThat(grant(holder, file("written"), Share.READ, Want.READ)).isEqualTo(Refused.CONTENTION);

        Delegations.Change change = delegations.change(Delegations.NOBODY, FILE);
        assertThat(grant(holder, FILE, Share.READ, Want.READ)).isEqualTo(Refused.CONTENTION);
        change.end();
        assertThat(grant(holder, FILE, Share.READ, Want.READ)).isInstanceOf(Granted.class);
    }

    @Test
    void delegationsLeaveHalfOfTheStatesToOpens() throws StateException {
        StateLimits usual = StateLimits.STANDARD;
        TestedState small = new TestedState(
                new StateLimits(LEASE, usual.inAll(), usual.perAddress(), 1, 1, 8, 8, usual.fore(), usual.back()));
        Peer holder = small.peer("holder");
        small.table.backChannels().configure(holder.session.id(), Optional.of("program"));
        small.table.backChannels().bind(holder.session.id(), holder.connection);
        for (int i = 0; i < 8; i++) {
            StateId open = holder.open(file("file " + i), Share.READ, Share.NONE);
            Decision decision = small.table
                    .delegations()
                    .grant(holder.id, file("file " + i), open, Want.READ, opaque("handle"), CHANGE);
            assertThat(decision).isInstanceOf(i < 2 ? Granted.class : Refused.class);
            if (i >= 2) {
                small.table.opens().close(holder.id, file("file " + i), open);
            }
        }
    }

    @Test
    void theHolderIsAskedOnceAndItsOwnAccessesGoOn() throws StateException {
        Peer holder = holder();
        StateId delegation = granted(holder, FILE, Share.BOTH, Want.WRITE);
        delegations.change(holder.id, FILE).end();
        delegations.read(holder.id, FILE);
        delegations.open(holder.id, FILE, new Share(Share.WRITE, Share.NONE));
        assertThat(state.callbacks).isEmpty();

        assertStatus(Status.DELAY, () -> delegations.read(Delegations.NOBODY, FILE));
        assertStatus(Status.DELAY, () -> change(FILE));
        Callback callback = callback();
        assertThat(callback.stateId()).isEqualTo(delegation);
        assertThat(callback.handle()).isEqualTo(opaque("handle"));
        callback.answered(Outcome.ACCEPTED);
        assertStatus(Status.DELAY, () -> change(FILE));
        assertThat(state.callbacks).isEmpty();

        delegations.giveBack(holder.id, FILE, delegation);
        change(FILE);
    }

    @Test
    void whoReturnsADelegationGetsNoOtherWhileSomebodyMayBeWaiting() throws StateException {
        Peer holder = holder();
        StateId delegation = granted(holder, FILE, Share.READ, Want.READ);
        assertStatus(Status.DELAY, () -> change(FILE));
        delegations.giveBack(holder.id, FILE, delegation);
        assertThat(grant(holder, FILE, Share.READ, Want.READ)).isEqualTo(Refused.CONTENTION);
        state.pass(LEASE.plusSeconds(1));
        assertThat(grant(holder, FILE, Share.READ, Want.READ)).isInstanceOf(Granted.class);
    }

    @Test
    void readersDoNotConflictWithReadDelegations() throws StateException {
        Peer holder = holder();
        granted(holder, FILE, Share.READ, Want.READ);
        delegations.read(Delegations.NOBODY, FILE);
        Peer other = state.peer("other");
        delegations.open(other.id, FILE, new Share(Share.READ, Share.WRITE));
        assertStatus(Status.DELAY, () -> delegations.open(other.id, FILE, new Share(Share.READ, Share.READ)));
        assertStatus(Status.DELAY, () -> other.open(FILE, Share.WRITE, Share.NONE));
    }

    @Test
    void aDelegationThatIsNotReturnedWithinALeaseIsRevoked() throws StateException {
        Peer holder = holder();
        StateId delegation = granted(holder, FILE, Share.READ, Want.READ);
        assertStatus(Status.DELAY, () -> change(FILE));
        callback().answered(Outcome.ACCEPTED);
        state.pass(LEASE);
        holder.renew();
        assertStatus(Status.DELAY, () -> change(FILE));
        state.pass(A_MOMENT);
        holder.renew();
        change(FILE);

        assertThat(holder.renew().flags()).containsExactly(SequenceFlag.RECALLABLE_STATE_REVOKED);
        assertStatus(Status.DELEG_REVOKED, () -> state.table.opens().checkRead(holder.id, FILE, delegation));
        assertStatus(Status.DELEG_REVOKED, () -> delegations.giveBack(holder.id, FILE, delegation));
        assertThat(state.table.stateIds().test(holder.id, delegation)).contains(Status.DELEG_REVOKED);
        state.table.stateIds().free(holder.id, delegation);
        assertThat(holder.renew().flags()).isEmpty();
    }

    @Test
    void theDelegationOfASilentClientIsRevokedAtOnce() throws StateException {
        Peer holder = holder();
        granted(holder, FILE, Share.READ, Want.READ);
        state.pass(LEASE.plus(A_MOMENT));
        change(FILE);
        assertThat(state.callbacks).isEmpty();
        assertThat(holder.renew().flags()).contains(SequenceFlag.RECALLABLE_STATE_REVOKED);
    }

    @Test
    void aDelegationPermitsIo() throws StateException {
        Peer holder = holder();
        StateId read = granted(holder, file("read"), Share.READ, Want.READ);
        StateId write = granted(holder, file("written"), Share.BOTH, Want.WRITE);
        state.table.opens().checkRead(holder.id, file("read"), read);
        assertStatus(Status.OPENMODE, () -> state.table.opens().checkWrite(holder.id, file("read"), read));
        state.table.opens().checkWrite(holder.id, file("written"), write);
        assertStatus(Status.LOCKS_HELD, () -> state.table.stateIds().free(holder.id, read));
    }

    @Test
    void recallsWaitForSlotsAndEachSlotHasItsSequence() throws StateException {
        Peer holder = holder();
        int slots = (int) holder.session.back().maxRequests();
        for (int i = 0; i <= slots; i++) {
            granted(holder, file("file " + i), Share.READ, Want.READ);
        }
        for (int i = 0; i <= slots; i++) {
            FileKey file = file("file " + i);
            assertStatus(Status.DELAY, () -> change(file));
        }
        assertThat(state.callbacks)
                .extracting(Callback::slot)
                .doesNotHaveDuplicates()
                .hasSize(slots);
        Callback first = callback();
        assertThat(first.sequence()).isEqualTo(1);
        first.answered(Outcome.ACCEPTED);
        Callback last = state.callbacks.get(slots - 1);
        assertThat(last.slot()).isEqualTo(first.slot());
        assertThat(last.sequence()).isEqualTo(2);
    }

    @Test
    void aCallbackWithoutAnAnswerIsRepeatedInItsSlotOverAnotherConnection() throws StateException {
        Peer holder = holder();
        granted(holder, FILE, Share.READ, Want.READ);
        assertStatus(Status.DELAY, () -> change(FILE));
        Callback lost = callback();
        lost.answered(Outcome.UNANSWERED);
        assertThat(state.callbacks).isEmpty();
        assertThat(holder.renew().flags())
                .containsExactlyInAnyOrder(SequenceFlag.CB_PATH_DOWN, SequenceFlag.CB_PATH_DOWN_SESSION);

        state.table.backChannels().bind(holder.session.id(), "another connection");
        Callback repeated = callback();
        assertThat(repeated.connection()).isEqualTo("another connection");
        assertThat(List.of(repeated.slot(), repeated.sequence())).isEqualTo(List.of(lost.slot(), lost.sequence()));
        assertThat(holder.renew().flags()).isEmpty();
        repeated.answered(Outcome.ACCEPTED);
        assertThat(state.callbacks).isEmpty();
    }

    @Test
    void aRefusedRecallIsRepeatedByTheNextAccess() throws StateException {
        Peer holder = holder();
        granted(holder, FILE, Share.READ, Want.READ);
        assertStatus(Status.DELAY, () -> change(FILE));
        callback().answered(Outcome.REFUSED);
        assertThat(state.callbacks).isEmpty();
        assertStatus(Status.DELAY, () -> change(FILE));
        Callback second = callback();
        assertThat(second.sequence()).isEqualTo(2);
        second.answered(Outcome.POSTPONED);
        assertStatus(Status.DELAY, () -> change(FILE));
        assertThat(callback().sequence()).isEqualTo(2);
    }

    @Test
    void aSlotThatIsOutOfOrderEndsTheBackChannel() throws StateException {
        Peer holder = holder();
        granted(holder, FILE, Share.READ, Want.READ);
        assertStatus(Status.DELAY, () -> change(FILE));
        callback().answered(Outcome.MISORDERED);
        assertThat(holder.renew().flags()).containsExactly(SequenceFlag.BACKCHANNEL_FAULT);
        assertStatus(Status.DELAY, () -> change(FILE));
        assertThat(state.callbacks).isEmpty();
        assertThat(grant(holder, file("other"), Share.READ, Want.READ)).isEqualTo(Refused.RESOURCE);
    }

    @Test
    void aSessionThatEndsLeavesItsRecallsToAnother() throws StateException {
        Peer holder = holder();
        StateId delegation = granted(holder, FILE, Share.READ, Want.READ);
        assertStatus(Status.DELAY, () -> change(FILE));
        Callback lost = callback();
        var second = state.table
                .clients()
                .createSession(
                        new Clients.SessionRequest(
                                holder.id,
                                holder.session.sequence() + 1,
                                TestedState.ASKED,
                                StateLimits.STANDARD.back()),
                        TestedState.origin("holder"));
        state.table.backChannels().configure(second.id(), Optional.of("program"));
        state.table.backChannels().bind(second.id(), holder.connection);
        state.table.sessions().destroy(holder.session.id(), holder.connection, null);
        lost.answered(Outcome.UNANSWERED);

        assertStatus(Status.DELAY, () -> change(FILE));
        Callback repeated = callback();
        assertThat(repeated.session()).isEqualTo(second.id());
        assertThat(repeated.stateId()).isEqualTo(delegation);
    }

    @Test
    void theHolderOfAWriteDelegationIsAskedForTheSize() throws Exception {
        Peer holder = holder();
        granted(holder, FILE, Share.BOTH, Want.WRITE);
        assertThat(delegations.inquire(holder.id, FILE)).isCompletedWithValue(OptionalLong.empty());
        assertThat(delegations.inquire(Delegations.NOBODY, file("other"))).isCompletedWithValue(OptionalLong.empty());

        CompletableFuture<OptionalLong> first = delegations.inquire(Delegations.NOBODY, FILE);
        assertThat(delegations.inquire(state.peer("other").id, FILE)).isSameAs(first);
        Callback callback = callback();
        assertThat(callback.kind()).isEqualTo(Kind.GETATTR);
        assertThat(first).isNotDone();
        callback.answered(Outcome.ACCEPTED, Optional.of(new HeldAttributes(CHANGE, 1000)));
        assertThat(first).as("not changed").isCompletedWithValue(OptionalLong.empty());

        CompletableFuture<OptionalLong> second = delegations.inquire(Delegations.NOBODY, FILE);
        callback().answered(Outcome.ACCEPTED, Optional.of(new HeldAttributes(CHANGE + 1, 1000)));
        assertThat(second).isCompletedWithValue(OptionalLong.of(1000));
        assertThat(state.callbacks).isEmpty();
    }

    @Test
    void whoDoesNotTellAttributesIsNotAskedWhileTheDelegationIsRecalled() throws StateException {
        Peer holder = holder();
        granted(holder, FILE, Share.BOTH, Want.WRITE);
        CompletableFuture<OptionalLong> refused = delegations.inquire(Delegations.NOBODY, FILE);
        callback().answered(Outcome.REFUSED);
        assertThat(refused).isCompletedExceptionally();
        assertStatus(Status.DELAY, () -> delegations.read(Delegations.NOBODY, FILE));
        assertThat(callback().kind()).isEqualTo(Kind.RECALL);
        assertThat(delegations.inquire(Delegations.NOBODY, FILE)).isCompletedExceptionally();
        assertThat(state.callbacks).isEmpty();
    }

    @Test
    void anInquiryWithoutAnAnswerIsRepeatedInItsSlotForNobody() throws StateException {
        Peer holder = holder();
        granted(holder, FILE, Share.BOTH, Want.WRITE);
        CompletableFuture<OptionalLong> unanswered = delegations.inquire(Delegations.NOBODY, FILE);
        Callback lost = callback();
        lost.answered(Outcome.UNANSWERED);
        assertThat(unanswered).isCompletedExceptionally();

        state.table.backChannels().bind(holder.session.id(), "another connection");
        Callback repeated = callback();
        assertThat(List.of(repeated.kind(), repeated.slot(), repeated.sequence()))
                .isEqualTo(List.of(lost.kind(), lost.slot(), lost.sequence()));
        repeated.answered(Outcome.ACCEPTED, Optional.of(new HeldAttributes(CHANGE, 0)));
        assertThat(delegations.inquire(Delegations.NOBODY, FILE)).isNotDone();
        assertThat(callback().sequence()).isEqualTo(lost.sequence() + 1);
    }

    @Test
    void aSessionThatEndsAnswersNoInquiry() throws StateException {
        Peer holder = holder();
        granted(holder, FILE, Share.BOTH, Want.WRITE);
        CompletableFuture<OptionalLong> unanswered = delegations.inquire(Delegations.NOBODY, FILE);
        state.table.sessions().destroy(holder.session.id(), holder.connection, null);
        assertThat(unanswered).isCompletedExceptionally();
    }

    @Test
    void aConnectionIsProbedOnceAtATime() throws StateException {
        Peer holder = state.peer("holder");
        BackChannels channels = state.table.backChannels();
        SessionId session = holder.session.id();
        channels.configure(session, Optional.of("program"));
        assertThat(channels.bind(session, holder.connection)).contains("program");
        assertThat(channels.bind(session, holder.connection)).isEmpty();
        channels.configure(session, Optional.of("other program"));
        assertThat(channels.bind(session, holder.connection)).isEmpty();
        assertThat(channels.probed(session, holder.connection, true)).contains("other program");
        assertThat(grant(holder, FILE, Share.READ, Want.READ)).isInstanceOf(Granted.class);
        assertThat(channels.probed(session, holder.connection, false)).isEmpty();
        assertThat(grant(holder, file("other"), Share.READ, Want.READ)).isEqualTo(Refused.RESOURCE);
        assertThat(channels.bind(session, holder.connection)).contains("other program");
    }
}
