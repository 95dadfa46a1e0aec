// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.emplace.samples.nfs.server.state.Callback.HeldAttributes;
import org.emplace.samples.nfs.server.state.Callback.Kind;
import org.emplace.samples.nfs.server.state.Callback.Outcome;
import org.emplace.samples.nfs.server.state.Callback.Sender;
import org.jspecify.annotations.Nullable;

/** The operations of back channels. Each slot has at most one callback at a time; recalls that find no free slot wait for one. */
public final class BackChannels {
    private final Ledger ledger;
    private final Sender sender;

    BackChannels(Ledger ledger, Sender sender) {
        this.ledger = ledger;
        this.sender = sender;
    }

    /**
     * Says how to call the client (CREATE_SESSION and BACKCHANNEL_CTL, RFC 8881 section 18.33).
     *
     * @param parameters the program's own; empty if it cannot call the client as this wants
     * @throws StateException BADSESSION
     */
    public void configure(SessionId id, Optional<Object> parameters) throws StateException {
        synchronized (ledger) {
            ledger.session(id).backChannel.parameters = parameters.orElse(null);
        }
    }

    /**
     * Binds a connection to the back channel, besides the fore channel. Callbacks that were not answered, or wait, are sent.
     *
     * @return how to call CB_NULL, if the program can and it has not been called over this connection without an answer: {@link #probed} is told the answer
     * @throws StateException BADSESSION
     */
    public Optional<Object> bind(SessionId id, Object connection) throws StateException {
        List<Callback> callbacks;
        Optional<Object> parameters;
        synchronized (ledger) {
            Session session = ledger.session(id);
            ledger.bind(session, connection);
            BackChannel channel = session.backChannel;
            channel.isWanted = true;
            channel.connections.remove(connection);
            channel.connections.add(connection);
            callbacks = repeated(session, connection);
            callbacks.addAll(next(session.client));
            parameters = Optional.ofNullable(channel.parameters)
                    .filter(each -> channel.probed.putIfAbsent(connection, each) == null);
        }
        callbacks.forEach(sender::send);
        return parameters;
    }

    /**
     * Takes the answer to CB_NULL. If there is none, no more callbacks are made over the connection until it is bound again.
     *
     * @return how to call it again, because that has changed
     */
    public Optional<Object> probed(SessionId id, Object connection, boolean works) {
        synchronized (ledger) {
            @Nullable Session session = ledger.sessions.get(id);
            if (session == null) {
                return Optional.empty();
            }
            BackChannel channel = session.backChannel;
            @Nullable Object how = channel.probed.remove(connection);
            if (channel.parameters != null && channel.parameters != how && channel.connections.contains(connection)) {
                channel.probed.put(connection, channel.parameters);
                return Optional.of(channel.parameters);
            }
            if (!works) {
                channel.connections.remove(connection);
            }
            return Optional.empty();
        }
    }

    /** Whether a client can be called back, as far as the server knows. With the monitor. */
    static boolean isUp(ClientRecord client) {
        return client.sessions.stream().anyMatch(session -> session.backChannel.isUp());
    }

    /** Occupies slots for delegations of a client that are to be recalled. With the monitor; the result is to be sent without it. */
    List<Callback> next(ClientRecord client) {
        List<Callback> callbacks = new ArrayList<>();
        Iterator<DelegationState> waiting = client.toRecall.iterator();
        for (Session session : client.sessions) {
            BackChannel channel = session.backChannel;
            while (waiting.hasNext() && channel.isUp() && channel.freeSlot() >= 0) {
                callbacks.add(callback(session, last(channel), channel.freeSlot(), Kind.RECALL, waiting.next()));
                waiting.remove();
            }
        }
        return callbacks;
    }

    /** Occupies a slot to ask a client for attributes, if one is free. With the monitor; the result is to be sent without it. */
    Optional<Callback> inquiry(DelegationState held) {
        for (Session session : held.client.sessions) {
            BackChannel channel = session.backChannel;
            if (channel.isUp() && channel.freeSlot() >= 0) {
                return Optional.of(callback(session, last(channel), channel.freeSlot(), Kind.GETATTR, held));
            }
        }
        return Optional.empty();
    }

    private static Object last(BackChannel channel) {
        Object last = channel.connections.iterator().next();
        for (Object connection : channel.connections) {
            last = connection;
        }
        return last;
    }

    private Callback callback(Session session, Object connection, int slot, Kind kind, DelegationState delegation) {
        Object parameters = session.backChannel.parameters;
        if (parameters == null) {
            throw new IllegalStateException("a back channel without parameters");
        }
        return new Callback(this, session, connection, parameters, slot, kind, delegation, ledger.id(delegation));
    }

    /** The callbacks whose answers were lost: their slots keep the sequence ID, so that the client runs none twice. */
    private List<Callback> repeated(Session session, Object connection) {
        List<Callback> callbacks = new ArrayList<>();
        if (session.backChannel.isUp()) {
            for (@Nullable Callback lost : session.backChannel.inFlight.clone()) {
                if (lost != null && lost.isLost) {
                    callbacks.add(callback(session, connection, lost.slot(), lost.kind(), lost.delegation));
                }
            }
        }
        return callbacks;
    }

    void send(List<Callback> callbacks) {
        callbacks.forEach(sender::send);
    }

    void answered(Callback callback, Outcome outcome, Optional<HeldAttributes> attributes) {
        List<Callback> callbacks;
        synchronized (ledger) {
            BackChannel channel = callback.session.backChannel;
            if (channel.inFlight[callback.slot()] != callback) {
                return; // its session was removed
            }
            DelegationState delegation = callback.delegation;
            channel.inFlight[callback.slot()] = null;
            if (outcome == Outcome.ACCEPTED || outcome == Outcome.REFUSED) {
                channel.sequences[callback.slot()] = callback.sequence();
            }
            if (callback.kind() == Kind.GETATTR) {
                delegation.answer(attributes);
            } else {
                delegation.isRecalling = outcome == Outcome.ACCEPTED || outcome == Outcome.UNANSWERED;
            }
            channel.isFaulty |= outcome == Outcome.MISORDERED;
            callbacks = new ArrayList<>();
            if (outcome == Outcome.UNANSWERED) {
                channel.inFlight[callback.slot()] = callback;
                callback.isLost = true;
                channel.connections.remove(callback.connection());
                if (channel.isUp()) {
                    callbacks = repeated(callback.session, last(channel));
                }
            }
            callbacks.addAll(next(callback.session.client));
        }
        send(callbacks);
    }
}
