// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    private final BiFunction<String, String, Conversation> conversations;
    /** Each connection by both of its ends, as far as they are known. */
    private final Map<QueuePair, Connection> connections = new LinkedHashMap<>();
    /** The connections whose first end has an unknown queue pair number, because no packet to it was seen. */
    private final List<Connection> halfKnown = new ArrayList<>();

    private final Map<Integer, Request> requests = new HashMap<>();

    private record Request(QueuePair from, ByteBuffer privateData) {}

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

        /** Whether a packet may be the first one seen that goes to the first end. A response has the number of its request. */
        boolean mayBeginWith(BthPacket packet) {
            return first.equals(packet.to().address())
                    && second.address().equals(packet.from())
                    && (!packet.isAnswer() || there.hasSent(packet.number()));
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
            connections.computeIfAbsent(packet.to(), any -> newlySeen(packet)).take(packet);
        }
    }

    void end() {
        connections.values().stream().distinct().forEach(Connection::end);
    }

    private Connection newlySeen(BthPacket packet) {
        Optional<Connection> known =
                halfKnown.stream().filter(each -> each.mayBeginWith(packet)).findFirst();
        if (known.isPresent()) {
            known.get().conversation().first().rename(packet.to().toString());
            halfKnown.remove(known.get());
            return known.get();
        }
        String first = Packet.text(packet.from()) + " QP unknown";
        Connection half = new Connection(
                packet.from(),
                packet.to(),
                conversations.apply(first, packet.to().toString()));
        halfKnown.add(half);
        return half;
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
            QueuePair from = new QueuePair(packet.from(), message.getInt(32) >>> 8);
            requests.put(message.getInt(0), new Request(from, privateData(message, REQUEST_PRIVATE_DATA)));
        } else if (attribute == REPLY) {
            Optional.ofNullable(requests.remove(message.getInt(4)))
                    .ifPresent(request -> connect(request, packet, message));
        }
    }

    private void connect(Request request, BthPacket packet, ByteBuffer reply) {
        QueuePair first = request.from();
        QueuePair second = new QueuePair(packet.from(), reply.getInt(12) >>> 8);
        for (QueuePair end : List.of(first, second)) {
            Optional.ofNullable(connections.get(end)).ifPresent(this::remove);
        }
        Conversation conversation = conversations.apply(first.toString(), second.toString());
        Connection connection = new Connection(first.address(), second, conversation);
        connections.put(first, connection);
        connections.put(second, connection);
        conversation.at(packet.nanoseconds());
        conversation.first().setUp(true, request.privateData());
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
