// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.emplace.compiler.capture.RdmaMessage.Segment;

/** One end of a connection: takes the RDMA operations that it is seen to do, whatever transport carries them. */
final class Peer {
    private final Conversation conversation;
    private final Credits credits = new Credits();
    private final ExposedMemory memory;
    private final ByteArrayOutputStream message = new ByteArrayOutputStream();
    private String name;
    private Optional<Thresholds> thresholds = Optional.empty();
    /** Whether the capture has all parts so far of the message being sent. */
    private boolean isWhole;

    Peer(Conversation conversation, String name) {
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

    /** The thresholds that its set-up message says; empty if that is not in the capture. */
    Optional<Thresholds> thresholds() {
        return thresholds;
    }

    /** Its pending calls, and how many it may have. */
    Credits credits() {
        return credits;
    }

    /** What its calls expose. */
    ExposedMemory memory() {
        return memory;
    }

    /** Sets the time of what follows. */
    void at(long nanoseconds) {
        conversation.at(nanoseconds);
    }

    /**
     * Takes a message that sets the connection up.
     *
     * @param isRequest whether it asks for the connection, as a client does
     */
    void setUp(boolean isRequest, ByteBuffer privateData) {
        Optional<Thresholds> said = Thresholds.in(privateData);
        thresholds = Optional.of(said.orElse(Thresholds.DEFAULT));
        conversation.setUp(isRequest ? this : conversation.other(this));
        said.ifPresent(each -> conversation.report(
                this, "set-up: sends up to %,d bytes inline, receives up to %,d", each.send(), each.receive()));
    }

    /** Takes a part of a Send; parts come in order. */
    void send(boolean isFirst, ByteBuffer part, boolean isLast) {
        if (isFirst) {
            message.reset();
            isWhole = true;
        }
        byte[] bytes = new byte[part.remaining()];
        part.duplicate().get(bytes);
        message.writeBytes(bytes);
        if (isLast) {
            if (isWhole) {
                conversation.message(this, ByteBuffer.wrap(message.toByteArray()));
            } else {
                loss("part of a message is not in the capture");
            }
            loseMessage();
        }
    }

    /**
     * Takes a part of an RDMA Write.
     *
     * @param data its bytes, or as many of them as were captured
     * @param isLast whether it ends the operation
     */
    void write(Segment target, ByteBuffer data, boolean isLast) {
        access(target, false).ifPresent(region -> {
            region.moved(target, data);
            if (isLast) {
                region.count();
            }
        });
    }

    /** Takes an RDMA Read request. */
    void readRequest(Segment source) {
        access(source, true).ifPresent(MemoryRegion::count);
    }

    /** Takes a part of the answer to the other side's RDMA Read. */
    void readResponse(Segment source, ByteBuffer data) {
        memory.at(source).ifPresent(region -> region.moved(source, data));
    }

    private Optional<MemoryRegion> access(Segment range, boolean isRead) {
        return conversation.isRpc() ? conversation.other(this).memory.access(this, range, isRead) : Optional.empty();
    }

    /** Reports something that is neither message nor access. */
    void remark(String text) {
        if (conversation.isRpc()) {
            conversation.report(this, "%s", text);
        }
    }

    /** Reports that the capture lacks something. */
    void loss(String what) {
        conversation.lose();
        remark("gap: " + what);
    }

    /** Reports that the capture lacks so many packets or bytes. */
    void gap(long number, String unit) {
        loseMessage();
        loss(Timeline.count(number, unit) + (number == 1 ? " is" : " are") + " not in the capture");
    }

    /** Drops the message being sent. */
    void loseMessage() {
        message.reset();
        isWhole = false;
    }
}
