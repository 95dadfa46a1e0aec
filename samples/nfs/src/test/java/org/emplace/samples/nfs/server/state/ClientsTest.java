// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.state.TestedState.ASKED;
import static org.emplace.samples.nfs.server.state.TestedState.FILE;
import static org.emplace.samples.nfs.server.state.TestedState.assertStatus;
import static org.emplace.samples.nfs.server.state.TestedState.origin;
import static org.emplace.samples.nfs.server.state.TestedState.owner;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.samples.nfs.server.state.Clients.ClientIdentity;
import org.emplace.samples.nfs.server.state.Clients.CreatedSession;
import org.emplace.samples.nfs.server.state.Clients.SessionRequest;
import org.emplace.samples.nfs.server.state.Opens.Share;
import org.emplace.samples.nfs.server.state.StateException.Status;
import org.emplace.samples.nfs.server.state.TestedState.Peer;
import org.junit.jupiter.api.Test;

/** EXCHANGE_ID, CREATE_SESSION, DESTROY_CLIENTID, RECLAIM_COMPLETE. */
class ClientsTest {
    private final TestedState state = new TestedState();
    private final Clients clients = state.table.clients();
    private final Sessions sessions = state.table.sessions();

    private ClientIdentity exchange(String principal, String verifier) throws StateException {
        return clients.exchangeId(owner("host", verifier), false, origin(principal));
    }

    private ClientIdentity update(String principal, String verifier) throws StateException {
        return clients.exchangeId(owner("host", verifier), true, origin(principal));
    }

    private CreatedSession confirm(ClientIdentity client) throws StateException {
        return state.create(client, client.sequence(), "root");
    }

    private static final String VERIFIER = "boot 001";
    private static final String RESTARTED = "boot 002";

    /** RFC 8881 section 18.35.5, case 1. */
    @Test
    void aNewOwnerGetsAnUnconfirmedClientId() throws StateException {
        ClientIdentity client = exchange("root", VERIFIER);
        assertThat(client.isConfirmed()).isFalse();
        assertThat(client.sequence()).isEqualTo(1);
        assertThat(clients.exchangeId(owner("other", VERIFIER), false, origin("root"))
                        .clientId())
                .isNotEqualTo(client.clientId());
    }

    /** Case 2. */
    @Test
    void aConfirmedClientKeepsItsId() throws StateException {
        ClientIdentity client = exchange("root", VERIFIER);
        confirm(client);
        assertThat(exchange("root", VERIFIER)).isEqualTo(new ClientIdentity(client.clientId(), 2, true));
    }

    /** Case 3. */
    @Test
    void anotherPrincipalCannotTakeAClientWithState() throws StateException {
        ClientIdentity client = exchange("root", VERIFIER);
        CreatedSession session = confirm(client);
        for (String verifier : List.of(VERIFIER, RESTARTED)) {
            assertStatus(Status.CLID_INUSE, () -> exchange("other", verifier));
        }
        sessions.destroy(session.id(), "connection of root", null);
        assertThat(exchange("other", VERIFIER).clientId()).isNotEqualTo(client.clientId());
        assertStatus(Status.STALE_CLIENTID, () -> state.create(client, 2, "root"));
    }

    /** Case 3. */
    @Test
    void anotherPrincipalMayTakeAnExpiredClient() throws StateException {
        ClientIdentity client = exchange("root", VERIFIER);
        confirm(client);
        state.expireAll();
        assertThat(exchange("other", VERIFIER).clientId()).isNotEqualTo(client.clientId());
    }

    /** Case 4. */
    @Test
    void anUnconfirmedClientIsReplaced() throws StateException {
        List<Long> ids = new ArrayList<>();
        for (String principal : List.of("root", "other")) {
            for (String verifier : List.of(VERIFIER, RESTARTED)) {
                ids.add(exchange(principal, verifier).clientId());
            }
        }
        assertThat(ids).doesNotHaveDuplicates();
        assertStatus(Status.STALE_CLIENTID, () -> clients.destroy(ids.get(0)));
        clients.destroy(ids.get(3));
    }

    /** RFC 8881 section 18.35. */
    @Test
    void aClientIdThatIsNotConfirmedEndsAfterALease() throws StateException {
        ClientIdentity client = exchange("root", VERIFIER);
        state.expireAll();
        assertStatus(Status.STALE_CLIENTID, () -> confirm(client));
        assertStatus(Status.STALE_CLIENTID, () -> clients.destroy(client.clientId()));
        confirm(exchange("root", VERIFIER));
    }

    /** Case 5. */
    @Test
    void aRestartedClientLosesItsStateWhenItConfirms() throws StateException {
        ClientIdentity client = exchange("root", VERIFIER);
        Peer before = state.new Peer(client.clientId(), confirm(client), "connection of root");
        clients.reclaimComplete(before.id);
        before.open(FILE, Share.READ, Share.NONE);
        ClientIdentity again = exchange("root", RESTARTED);
        assertThat(again.clientId()).isNotEqualTo(client.clientId());
        before.renew();
        confirm(again);
        assertStatus(Status.BADSESSION, before::renew);
        assertThat(state.table.opens().isOpen(FILE)).isFalse();
        assertStatus(Status.STALE_CLIENTID, () -> clients.destroy(client.clientId()));
    }

    /** Cases 6 to 9. */
    @Test
    void onlyAConfirmedClientIsUpdated() throws StateException {
        assertStatus(Status.NOENT, () -> update("root", VERIFIER));
        ClientIdentity client = exchange("root", VERIFIER);
        assertStatus(Status.NOENT, () -> update("root", VERIFIER));
        confirm(client);
        assertThat(update("root", VERIFIER)).isEqualTo(new ClientIdentity(client.clientId(), 2, true));
        assertStatus(Status.NOT_SAME, () -> update("root", RESTARTED));
        assertStatus(Status.PERM, () -> update("other", VERIFIER));
    }

    @Test
    void namesAndVerifiersHaveTheProtocolsLengths() {
        assertStatus(Status.INVAL, () -> exchange("root", "too long a verifier"));
        assertStatus(Status.INVAL, () -> clients.exchangeId(owner("n".repeat(1025), VERIFIER), false, origin("root")));
    }

    @Test
    void aResentCreateSessionGetsTheFirstResult() throws StateException {
        ClientIdentity client = exchange("root", VERIFIER);
        CreatedSession first = confirm(client);
        assertThat(confirm(client)).isEqualTo(first);
        CreatedSession second = state.create(client, 2, "root");
        assertThat(second.id()).isNotEqualTo(first.id());
        assertThat(second.sequence()).isEqualTo(2);
        for (int sequence : new int[] {0, 1, 4, -1}) {
            assertStatus(Status.SEQ_MISORDERED, () -> state.create(client, sequence, "root"));
        }
        assertThat(state.create(client, 2, "root")).isEqualTo(second);
    }

    @Test
    void theFirstCreateSessionHasTheSequenceIdOfExchangeId() throws StateException {
        ClientIdentity client = exchange("root", VERIFIER);
        for (int sequence : new int[] {0, 2, -1}) {
            assertStatus(Status.SEQ_MISORDERED, () -> state.create(client, sequence, "root"));
        }
        assertStatus(Status.STALE_CLIENTID, () -> state.create(new ClientIdentity(4711, 1, false), 1, "root"));
    }

    @Test
    void onlyThePrincipalOfExchangeIdConfirms() throws StateException {
        ClientIdentity client = exchange("root", VERIFIER);
        assertStatus(Status.CLID_INUSE, () -> state.create(client, 1, "other"));
        assertStatus(Status.CLID_INUSE, () -> state.create(client, 1, "other"));
        confirm(client);
        state.create(client, 2, "other");
    }

    @Test
    void whoeverSendsACreateSessionAgainGetsItsResult() throws StateException {
        ClientIdentity client = exchange("root", VERIFIER);
        CreatedSession first = state.create(client, 1, "root");
        assertThat(state.create(client, 1, "root")).isEqualTo(first);
        assertThat(state.create(client, 1, "other")).isEqualTo(first);
    }

    @Test
    void clientIdsDoNotFollowFromEachOther() throws StateException {
        long first = exchange("root", VERIFIER).clientId();
        long second = exchange("root", RESTARTED).clientId();
        assertThat(Math.abs(second - first)).isGreaterThan(1 << 20);
    }

    @Test
    void aSessionGetsWhatItAsksForUpToTheLimits() throws StateException {
        ChannelAttributes much = new ChannelAttributes(1L << 31, 1L << 32, 1L << 30, 1000, 5000);
        ChannelAttributes little = new ChannelAttributes(400, 300, 10, 3, 2);
        ClientIdentity client = exchange("root", VERIFIER);
        assertThat(clients.createSession(new SessionRequest(client.clientId(), 1, much, much), origin("root")))
                .extracting(CreatedSession::fore, CreatedSession::back)
                .containsExactly(StateLimits.STANDARD.fore(), StateLimits.STANDARD.back());
        CreatedSession small =
                clients.createSession(new SessionRequest(client.clientId(), 2, little, ASKED), origin("root"));
        assertThat(small.fore()).isEqualTo(little);
    }

    @Test
    void aSessionThatIsTooSmallIsNotCreated() throws StateException {
        ClientIdentity client = exchange("root", VERIFIER);
        List<ChannelAttributes> small = List.of(
                new ChannelAttributes(20, 8192, 8192, 8, 8),
                new ChannelAttributes(8192, 0, 8192, 8, 8),
                new ChannelAttributes(8192, 8192, 8192, 0, 8),
                new ChannelAttributes(8192, 8192, 8192, 8, 0));
        for (ChannelAttributes each : small) {
            assertStatus(
                    Status.TOOSMALL,
                    () -> clients.createSession(new SessionRequest(client.clientId(), 1, each, ASKED), origin("root")));
            assertStatus(
                    Status.TOOSMALL,
                    () -> clients.createSession(new SessionRequest(client.clientId(), 1, ASKED, each), origin("root")));
        }
        confirm(client);
    }

    @Test
    void aClientWithASessionOrStateIsNotDestroyed() throws StateException {
        Peer peer = state.peer("host");
        assertStatus(Status.CLIENTID_BUSY, () -> clients.destroy(peer.id));
        StateId open = peer.open(FILE, Share.READ, Share.NONE);
        sessions.destroy(peer.session.id(), peer.connection, null);
        assertStatus(Status.CLIENTID_BUSY, () -> clients.destroy(peer.id));
        state.table.opens().close(peer.id, FILE, open);
        clients.destroy(peer.id);
        assertStatus(Status.STALE_CLIENTID, () -> clients.destroy(peer.id));
    }

    @Test
    void reclaimCompleteComesOnceAndBeforeOpen() throws StateException {
        ClientIdentity client = exchange("root", VERIFIER);
        Peer peer = state.new Peer(client.clientId(), confirm(client), "connection of root");
        assertStatus(Status.GRACE, () -> peer.open(FILE, Share.READ, Share.NONE));
        clients.reclaimComplete(peer.id);
        peer.open(FILE, Share.READ, Share.NONE);
        assertStatus(Status.COMPLETE_ALREADY, () -> clients.reclaimComplete(peer.id));
    }

    @Test
    void identifiersSurviveTheirBytes() throws StateException {
        SessionId session = confirm(exchange("root", VERIFIER)).id();
        assertThat(SessionId.of(session.bytes())).isEqualTo(session);
        StateId id = new StateId(7, -5, 99);
        assertThat(StateId.of(7, id.other())).isEqualTo(id);
        assertThat(state.table.stateIds().test(1, id)).isEqualTo(Optional.of(Status.BAD_STATEID));
    }
}
