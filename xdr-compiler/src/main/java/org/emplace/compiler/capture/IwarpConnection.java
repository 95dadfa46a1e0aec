// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

/** Both directions of a TCP connection that may carry iWARP. */
final class IwarpConnection {
    private final Packet.Endpoint initiator;
    private final Conversation conversation;
    private final MpaStream there;
    private final MpaStream back;
    private boolean hasEnded;
    private boolean hasEndedBack;

    /** @param initiator the end that is the first of the conversation */
    IwarpConnection(Packet.Endpoint initiator, Conversation conversation) {
        this.initiator = initiator;
        this.conversation = conversation;
        IwarpOperations operations = new IwarpOperations();
        there = new MpaStream(conversation.first(), operations);
        back = new MpaStream(conversation.second(), operations);
    }

    /** Takes a segment of either end. */
    void take(Packet packet, Packet.Tcp tcp) {
        boolean isThere = packet.from().equals(initiator);
        MpaStream stream = isThere ? there : back;
        MpaStream other = isThere ? back : there;
        if (tcp.isAck() && !tcp.isSyn()) {
            other.acknowledged(tcp.acknowledgement());
        }
        stream.take(packet, tcp, other);
        hasEnded |= tcp.isReset() || (isThere && tcp.isFin());
        hasEndedBack |= tcp.isReset() || (!isThere && tcp.isFin());
    }

    /** Whether neither end will send more. */
    boolean isClosed() {
        return hasEnded && hasEndedBack;
    }

    void end() {
        there.end();
        back.end();
        conversation.end();
    }
}
