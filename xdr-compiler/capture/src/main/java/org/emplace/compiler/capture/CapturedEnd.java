// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.emplace.compiler.capture.RdmaMessage.Segment;

/** One end of a connection. Receives the RDMA operations that this end performs, over any transport. */
final class CapturedEnd {
    /** RFC 8797 allows no more than a quarter of this inline. */
    private static final int LONGEST_SEND = 1 << 20;

    private final Conversation conversation;
    private final CallsInFlight callsInFlight = new CallsInFlight();
    private final ExposedMemory memory;
    private final ByteArrayOutputStream message = new ByteArrayOutputStream();
    private String name;
    private Optional<Thresholds> thresholds = Optional.empty();
    /** Whether {@link #message} has all parts so far of the message being sent. */
    private boolean isWhole;

    /** How many bytes one end sends and receives inline, by RFC 8797. */
    record Thresholds(int send, int receive) {
        /** The thresholds of an end that does not state them. */
        static final Thresholds DEFAULT = new Thresholds(1024, 1024);

        private static final int MAGIC = 0xf6ab0e18;
        private static final int LENGTH = 8;
        private static final int UNIT = 1024;

        /** Finds the thresholds in the private data of a connection's set-up. Other bytes may precede them. */
        static Optional<Thresholds> in(ByteBuffer privateData) {
            for (int at = 0; at + LENGTH <= privateData.limit(); at++) {
                if (privateData.getInt(at) == MAGIC && privateData.get(at + 4) == 1) {
                    return Optional.of(new Thresholds(bytes(privateData.get(at + 6)), bytes(privateData.get(at + 7))));
                }
            }
            return Optional.empty();
        }

        private static int bytes(byte coded) {
            return (Byte.toUnsignedInt(coded) + 1) * UNIT;
        }
    }

    CapturedEnd(Conversation conversation, String name) {
        this.conversation = conversation;
        this.name = name;
        memory = new ExposedMemory(conversation);
    }

    String name() {
        return name;
    }

    void rename(String better) {
        name = better;
    }

    /** The thresholds in its set-up message; empty if that is not in the capture. */
    Optional<Thresholds> thresholds() {
        return thresholds;
    }

    CallsInFlight callsInFlight() {
        return callsInFlight;
    }

    ExposedMemory memory() {
        return memory;
    }

    void at(long nanoseconds) {
        conversation.at(nanoseconds);
    }

    /** @param isRequest whether the set-up message asks for the connection, as a client does */
    void setUp(boolean isRequest, ByteBuffer privateData) {
        Optional<Thresholds> said = Thresholds.in(privateData);
        thresholds = Optional.of(said.orElse(Thresholds.DEFAULT));
        conversation.setUp(isRequest ? this : conversation.other(this));
        said.ifPresent(each -> conversation.report(
                this, "set-up: sends up to %,d bytes inline, receives up to %,d", each.send(), each.receive()));
    }

    /** Receives a part of a Send. Parts come in order. */
    void send(boolean isFirst, ByteBuffer part, boolean isLast) {
        if (isFirst) {
            message.reset();
            isWhole = true;
        }
        if (message.size() + part.remaining() > LONGEST_SEND) {
            loseMessage();
        }
        if (isWhole) {
            byte[] bytes = new byte[part.remaining()];
            part.duplicate().get(bytes);
            message.writeBytes(bytes);
        }
        if (isLast) {
            if (isWhole) {
                conversation.message(this, ByteBuffer.wrap(message.toByteArray()));
            } else {
                loss("a message is longer than 1 MiB, or not all of it is in the capture");
            }
            loseMessage();
        }
    }

    /** Receives a part of an RDMA Write, with as many of its bytes as were captured. */
    void write(Segment target, ByteBuffer data, boolean isLast) {
        access(target, false).ifPresent(region -> {
            region.moved(target, data);
            if (isLast) {
                region.countOperation();
            }
        });
    }

    void readRequest(Segment source) {
        access(source, true).ifPresent(ExposedSegment::countOperation);
    }

    /** Receives a part of the response to the other side's RDMA Read. */
    void readResponse(Segment source, ByteBuffer data) {
        memory.at(source).ifPresent(region -> region.moved(source, data));
    }

    private Optional<ExposedSegment> access(Segment range, boolean isRead) {
        return conversation.isRpc() ? conversation.other(this).memory.access(this, range, isRead) : Optional.empty();
    }

    /** Reports an event that is neither a message nor an access. */
    void remark(String text) {
        if (conversation.isRpc()) {
            conversation.report(this, "%s", text);
        }
    }

    void lose() {
        conversation.lose();
    }

    void loss(String what) {
        lose();
        remark("gap: " + what);
    }

    /** Reports that the capture lacks this number of packets or bytes. */
    void gap(long number, String unit) {
        loseMessage();
        loss(Timeline.count(number, unit) + (number == 1 ? " is" : " are") + " not in the capture");
    }

    void loseMessage() {
        message.reset();
        isWhole = false;
    }
}
