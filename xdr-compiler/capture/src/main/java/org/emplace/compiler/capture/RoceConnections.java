// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.emplace.compiler.capture.BthPacket.QueuePair;

/**
 * Finds the connections among packets of RoCE. The messages of the connection manager (InfiniBand architecture, volume 1, chapter 12) say which two queue pairs are
 * connected. If these messages are not in the capture, responses are matched with requests.
 */
final class RoceConnections {
    private static final int MANAGEMENT = 1;
    private static final int DATAGRAM_HEADER = 8;
    private static final int MAD_HEADER = 24;
    private static final int ATTRIBUTE = 16;
    private static final int COMMUNICATION_MANAGEMENT = 7;
    private static final int REQUEST = 0x10;
    private static final int REPLY = 0x13;
    private static final int REQUEST_PRIVATE_DATA = 140;
    private static final int REPLY_PRIVATE_DATA = 36;
    private static final int MOST_REQUESTS = 1024;
    private static final int MOST_HALF_KNOWN = 256;

    private final BiFunction<String, String, Conversation> conversations;
    /** Each connection by both of its ends, as far as they are known. */
    private final Map<QueuePair, Connection> connections = new LinkedHashMap<>();
    /** The connections whose first end has an unknown queue pair number, because no answer to it was seen. */
    private final Set<Connection> halfKnown = new LinkedHashSet<>();

    private final Map<Requester, ByteBuffer> requests = new HashMap<>();

    private record Requester(ByteBuffer address, int communicationId) {}

    private record Connection(
            ByteBuffer first, QueuePair second, Conversation conversation, RoceFlow there, RoceFlow back) {

        Connection(ByteBuffer first, QueuePair second, Conversation conversation) {
            this(
                    first,
                    second,
                    conversation,
                    new RoceFlow(conversation.first(), conversation.second()),
                    new RoceFlow(conversation.second(), conversation.first()));
        }

        boolean hasRequestOf(BthPacket answer) {
            return first.equals(answer.to().address())
                    && second.address().equals(answer.from())
                    && !second.equals(answer.to())
                    && there.hasSent(answer.number());
        }

        void take(BthPacket packet) {
            boolean isThere = second.equals(packet.to());
            if (packet.isAnswer()) {
                (isThere ? back : there).answered(packet);
            } else {
                (isThere ? there : back).take(packet);
            }
        }

        void end() {
            there.end();
            back.end();
            conversation.end();
        }
    }

    /** @param conversations makes a conversation from the names of its ends; the first is the initiator, if known */
    RoceConnections(BiFunction<String, String, Conversation> conversations) {
        this.conversations = conversations;
    }

    void take(BthPacket packet) {
        if (packet.to().number() == MANAGEMENT && packet.opcode() == BthPacket.DATAGRAM) {
            manage(packet);
        } else if (packet.opcode() < BthPacket.DATAGRAM && packet.to().number() > MANAGEMENT) {
            if (packet.isAnswer()) {
                match(packet);
            }
            connections.computeIfAbsent(packet.to(), any -> newlySeen(packet)).take(packet);
        }
    }

    void end() {
        connections.values().stream().distinct().forEach(Connection::end);
    }

    private Connection newlySeen(BthPacket packet) {
        String first = Packet.text(packet.from()) + " QP unknown";
        Connection half = new Connection(
                packet.from(),
                packet.to(),
                conversations.apply(first, packet.to().toString()));
        if (halfKnown.size() == MOST_HALF_KNOWN) {
            halfKnown.remove(halfKnown.iterator().next());
        }
        halfKnown.add(half);
        return half;
    }

    /** Completes the connection whose request a packet answers. Until then, packets to its first end counted as another connection, which ends here. */
    private void match(BthPacket answer) {
        Connection known = connections.get(answer.to());
        if (known != null && !halfKnown.contains(known)) {
            return;
        }
        halfKnown.stream().filter(each -> each.hasRequestOf(answer)).findFirst().ifPresent(found -> {
            halfKnown.remove(found);
            found.conversation().first().rename(answer.to().toString());
            connections.put(answer.to(), found);
            if (known != null) {
                halfKnown.remove(known);
                known.end();
                found.conversation().lose();
            }
        });
    }

    private void manage(BthPacket packet) {
        ByteBuffer body = packet.body();
        if (body.remaining() < DATAGRAM_HEADER + MAD_HEADER + REQUEST_PRIVATE_DATA) {
            return;
        }
        ByteBuffer mad = body.slice(DATAGRAM_HEADER, body.remaining() - DATAGRAM_HEADER);
        if (mad.get(1) != COMMUNICATION_MANAGEMENT) {
            return;
        }
        ByteBuffer message = mad.slice(MAD_HEADER, mad.remaining() - MAD_HEADER);
        int attribute = mad.getShort(ATTRIBUTE);
        if (attribute == REQUEST) {
            if (requests.size() == MOST_REQUESTS) {
                requests.clear();
            }
            requests.put(new Requester(packet.from(), message.getInt(0)), message);
        } else if (attribute == REPLY) {
            Optional.ofNullable(requests.remove(new Requester(packet.to().address(), message.getInt(4))))
                    .ifPresent(request -> connect(request, packet, message));
        }
    }

    private void connect(ByteBuffer request, BthPacket packet, ByteBuffer reply) {
        QueuePair first = new QueuePair(packet.to().address(), request.getInt(32) >>> 8);
        QueuePair second = new QueuePair(packet.from(), reply.getInt(12) >>> 8);
        for (QueuePair end : List.of(first, second)) {
            Optional.ofNullable(connections.get(end)).ifPresent(this::remove);
        }
        Conversation conversation = conversations.apply(first.toString(), second.toString());
        Connection connection = new Connection(first.address(), second, conversation);
        connections.put(first, connection);
        connections.put(second, connection);
        // Each side states the number with which the other begins.
        connection.there().begin(reply.getInt(20) >>> 8);
        connection.back().begin(request.getInt(44) >>> 8);
        conversation.at(packet.nanoseconds());
        conversation.first().setUp(true, privateData(request, REQUEST_PRIVATE_DATA));
        conversation.second().setUp(false, privateData(reply, REPLY_PRIVATE_DATA));
    }

    private void remove(Connection earlier) {
        earlier.end();
        connections.values().removeAll(List.of(earlier));
        halfKnown.remove(earlier);
    }

    private static ByteBuffer privateData(ByteBuffer message, int at) {
        return message.slice(at, message.remaining() - at);
    }
}
