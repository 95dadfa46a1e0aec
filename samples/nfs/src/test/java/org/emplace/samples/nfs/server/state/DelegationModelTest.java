// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.state.TestedState.LEASE;
import static org.emplace.samples.nfs.server.state.TestedState.opaque;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.emplace.samples.nfs.server.state.Callback.Outcome;
import org.emplace.samples.nfs.server.state.Delegations.Decision;
import org.emplace.samples.nfs.server.state.Delegations.Granted;
import org.emplace.samples.nfs.server.state.Delegations.Want;
import org.emplace.samples.nfs.server.state.Opens.Share;
import org.emplace.samples.nfs.server.state.TestedState.Peer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random opens, accesses, callbacks and returns of clients that stay alive, beside a small model of who may do what. */
final class DelegationModelTest {
    private static final int STEPS = Integer.getInteger("emplace.delegations.steps", 2000);

    private static final List<FileKey> FILES = Stream.of("one", "two", "three", "four", "five")
            .map(TestedState::file)
            .toList();
    private static final List<Want> WANTS = List.of(Want.values());
    private static final List<Outcome> OUTCOMES = List.of(Outcome.values());

    private final TestedState state = new TestedState();
    private final Delegations delegations = state.table.delegations();
    private final List<Peer> peers = new ArrayList<>();

    /** The model. */
    private final Map<Open, Opened> opens = new HashMap<>();

    private final Set<Held> held = new LinkedHashSet<>();
    private final Map<FileKey, Integer> contended = new HashMap<>();
    private final Map<Slot, Integer> sequences = new HashMap<>();

    /** The sessions without a connection for callbacks. */
    private final Set<SessionId> uncallable = new LinkedHashSet<>();

    private int seconds;
    private int grants;

    private record Open(Peer peer, FileKey file) {}

    private record Opened(StateId stateId, int access) {}

    private record Slot(SessionId session, int number) {}

    private static final class Held {
        private final Peer peer;
        private final FileKey file;
        private final Granted granted;
        private int recalled = -1;

        private Held(Peer peer, FileKey file, Granted granted) {
            this.peer = peer;
            this.file = file;
            this.granted = granted;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void nobodyGetsWhatConflicts(long seed) throws StateException {
        Random random = new Random(seed);
        for (String name : List.of("a", "b", "c")) {
            Peer peer = state.peer(name);
            state.table.backChannels().configure(peer.session.id(), Optional.of("program"));
            bind(peer);
            peers.add(peer);
        }
        for (int i = 0; i < STEPS; i++) {
            step(random, peers.get(random.nextInt(peers.size())), FILES.get(random.nextInt(FILES.size())));
        }
        assertThat(grants).isGreaterThan(STEPS / 250);
    }

    private void bind(Peer peer) throws StateException {
        state.table.backChannels().bind(peer.session.id(), peer.connection);
    }

    private void step(Random random, Peer peer, FileKey file) throws StateException {
        switch (random.nextInt(9)) {
            case 0, 1 -> open(peer, file, Share.READ + random.nextInt(3));
            case 2 -> close(peer, file);
            case 3 -> grant(peer, file, WANTS.get(random.nextInt(WANTS.size())));
            case 4 ->
                access(
                        file,
                        each -> true,
                        () -> delegations.change(Delegations.NOBODY, file).end());
            case 5 ->
                access(
                        file,
                        each -> each.peer != peer,
                        () -> delegations.change(peer.id, file).end());
            case 6 ->
                access(
                        file,
                        each -> each.peer != peer && each.granted.isWrite(),
                        () -> delegations.read(peer.id, file));
            case 7 -> answer(random);
            default -> {
                giveBack(random);
                pass(random.nextInt(1 + (int) LEASE.toSeconds() / 2));
            }
        }
        for (Held each : held) {
            state.table.opens().checkRead(each.peer.id, each.file, each.granted.stateId());
        }
    }

    /** All clients renew their leases. */
    private void pass(int more) throws StateException {
        seconds += more;
        state.pass(Duration.ofSeconds(more));
        for (Peer peer : peers) {
            peer.renew();
            bind(peer);
        }
        uncallable.clear();
    }

    private interface Access {
        void run() throws StateException;
    }

    /** It fails as long as a delegation conflicts that was recalled less than a lease ago. */
    private boolean access(FileKey file, Predicate<Held> conflicts, Access access) {
        List<Held> all = held.stream()
                .filter(each -> each.file.equals(file) && conflicts.test(each))
                .toList();
        boolean isFree = true;
        for (Held each : all) {
            contended.put(file, seconds);
            if (each.recalled < 0) {
                each.recalled = seconds;
            }
            if (seconds - each.recalled > LEASE.toSeconds()) {
                held.remove(each);
            } else {
                isFree = false;
            }
        }
        try {
            access.run();
            assertThat(isFree).isTrue();
        } catch (StateException e) {
            assertThat(e.status()).isEqualTo(StateException.Status.DELAY);
            assertThat(isFree).isFalse();
        }
        return isFree;
    }

    private void open(Peer peer, FileKey file, int access) throws StateException {
        Share share = new Share(access, Share.NONE);
        Predicate<Held> conflicts =
                each -> each.peer != peer && (each.granted.isWrite() || (access & Share.WRITE) != 0);
        if (access(file, conflicts, () -> delegations.open(peer.id, file, share))) {
            StateId stateId = peer.open(file, access, Share.NONE);
            Open open = new Open(peer, file);
            Opened before = opens.getOrDefault(open, new Opened(stateId, 0));
            opens.put(open, new Opened(stateId, before.access() | access));
        }
    }

    private void close(Peer peer, FileKey file) throws StateException {
        @Nullable Opened opened = opens.remove(new Open(peer, file));
        if (opened != null) {
            state.table.opens().close(peer.id, file, opened.stateId());
        }
    }

    private void grant(Peer peer, FileKey file, Want want) throws StateException {
        @Nullable Opened opened = opens.get(new Open(peer, file));
        if (opened == null) {
            return;
        }
        boolean isWrite = want != Want.READ && (opened.access() & Share.WRITE) != 0;
        boolean othersOpen = peers.stream()
                .filter(other -> other != peer)
                .flatMap(other -> Optional.ofNullable(opens.get(new Open(other, file))).stream())
                .anyMatch(other -> isWrite ? other.access() != 0 : (other.access() & Share.WRITE) != 0);
        boolean othersHold = held.stream()
                .filter(each -> each.file.equals(file))
                .anyMatch(each -> each.peer == peer || isWrite || each.granted.isWrite());
        boolean isContended = contended.containsKey(file) && seconds - contended.get(file) <= LEASE.toSeconds();
        Decision decision = delegations.grant(peer.id, file, opened.stateId(), want, opaque("handle"), 0);
        assertThat(decision instanceof Granted)
                .isEqualTo(!othersOpen && !othersHold && !isContended && !uncallable.contains(peer.session.id()));
        if (decision instanceof Granted granted) {
            assertThat(granted.isWrite()).isEqualTo(isWrite);
            held.add(new Held(peer, file, granted));
            grants++;
        }
    }

    /** A slot's sequence ID grows when its client has run the callback, and only then. */
    private void answer(Random random) {
        if (state.callbacks.isEmpty()) {
            return;
        }
        Callback callback = state.callbacks.remove(random.nextInt(state.callbacks.size()));
        Slot slot = new Slot(callback.session(), callback.slot());
        int sequence = sequences.getOrDefault(slot, 0) + 1;
        assertThat(callback.sequence()).isEqualTo(sequence);
        Outcome outcome = OUTCOMES.get(random.nextInt(OUTCOMES.size()));
        if (outcome == Outcome.MISORDERED) {
            outcome = Outcome.ACCEPTED;
        }
        if (outcome == Outcome.ACCEPTED || outcome == Outcome.REFUSED) {
            sequences.put(slot, sequence);
        }
        if (outcome == Outcome.UNANSWERED) {
            uncallable.add(callback.session());
        }
        callback.answered(outcome);
    }

    private void giveBack(Random random) throws StateException {
        List<Held> recalled = held.stream()
                .filter(each -> each.recalled >= 0 || random.nextInt(8) == 0)
                .toList();
        if (!recalled.isEmpty() && random.nextBoolean()) {
            Held one = recalled.get(0);
            delegations.giveBack(one.peer.id, one.file, one.granted.stateId());
            held.remove(one);
        }
    }
}
