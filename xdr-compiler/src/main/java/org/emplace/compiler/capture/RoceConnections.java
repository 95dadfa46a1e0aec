// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Finds the connections among packets of RoCE. The messages of the connection manager (InfiniBand architecture, volume 1, chapter 12) say which two queue pairs are
 * connected; if these are not in the capture, answers are matched with requests.
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

    private final BiFunction<RoceConnection.End, RoceConnection.End, RdmaEvent.Sink> sinks;
    private final List<RoceConnection> connections = new ArrayList<>();
    private final Map<Integer, Request> requests = new HashMap<>();

    /** A requested connection. */
    private record Request(RoceConnection.End from, ByteBuffer privateData) {}

    /** @param sinks makes the sink of a connection from its two ends; the first is the initiator, if known */
    RoceConnections(BiFunction<RoceConnection.End, RoceConnection.End, RdmaEvent.Sink> sinks) {
        this.sinks = sinks;
    }

    void take(BthPacket packet) {
        if (packet.queuePair() == MANAGEMENT && packet.opcode() == BthPacket.DATAGRAM) {
            manage(packet);
        } else if (packet.opcode() < BthPacket.DATAGRAM && packet.queuePair() > MANAGEMENT) {
            connectionOf(packet).take(packet);
        }
    }

    void end(long nanoseconds) {
        connections.forEach(connection -> connection.end(nanoseconds));
    }

    private RoceConnection connectionOf(BthPacket packet) {
        Optional<RoceConnection> known =
                connections.stream().filter(each -> each.has(packet)).findFirst();
        if (known.isPresent()) {
            return known.get();
        }
        Optional<RoceConnection> open =
                connections.stream().filter(each -> each.mayHave(packet)).findFirst();
        if (open.isPresent()) {
            open.get().join(packet);
            return open.get();
        }
        RoceConnection.End first = new RoceConnection.End(packet.from(), Optional.empty());
        RoceConnection.End second = new RoceConnection.End(packet.to(), Optional.of(packet.queuePair()));
        RoceConnection half = new RoceConnection(first, second, sinks.apply(first, second));
        connections.add(half);
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
            RoceConnection.End from = new RoceConnection.End(packet.from(), Optional.of(message.getInt(32) >>> 8));
            requests.put(message.getInt(0), new Request(from, privateData(message, REQUEST_PRIVATE_DATA)));
        } else if (attribute == REPLY) {
            Request request = requests.remove(message.getInt(4));
            if (request != null) {
                connect(request, packet, message);
            }
        }
    }

    private void connect(Request request, BthPacket packet, ByteBuffer reply) {
        RoceConnection.End second = new RoceConnection.End(packet.from(), Optional.of(reply.getInt(12) >>> 8));
        RdmaEvent.Sink sink = sinks.apply(request.from(), second);
        connections.removeIf(each -> {
            boolean isEarlier = each.first().toString().equals(request.from().toString())
                    || each.second().toString().equals(second.toString());
            if (isEarlier) {
                each.end(packet.nanoseconds());
            }
            return isEarlier;
        });
        connections.add(new RoceConnection(request.from(), second, sink));
        sink.happened(packet.nanoseconds(), RdmaEvent.Side.FIRST, new RdmaEvent.Setup(true, request.privateData()));
        sink.happened(
                packet.nanoseconds(),
                RdmaEvent.Side.SECOND,
                new RdmaEvent.Setup(false, privateData(reply, REPLY_PRIVATE_DATA)));
    }

    private static ByteBuffer privateData(ByteBuffer message, int at) {
        return message.slice(at, message.remaining() - at);
    }
}
