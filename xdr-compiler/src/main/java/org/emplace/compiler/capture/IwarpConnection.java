// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

/** Both directions of a TCP connection that may carry iWARP. */
final class IwarpConnection {
    private final Endpoint initiator;
    private final IwarpStream requests;
    private final IwarpStream replies;
    private final TcpDirection there;
    private final TcpDirection back;
    private boolean hasEnded;
    private boolean hasEndedBack;

    /**
     * @param initiator the end that is called {@link RdmaEvent.Side#FIRST}
     * @param sink takes the events
     */
    IwarpConnection(Endpoint initiator, RdmaEvent.Sink sink) {
        this.initiator = initiator;
        IwarpReads reads = new IwarpReads();
        requests = new IwarpStream(RdmaEvent.Side.FIRST, reads, sink);
        replies = new IwarpStream(RdmaEvent.Side.SECOND, reads, sink);
        there = new TcpDirection(requests);
        back = new TcpDirection(replies);
    }

    /** Takes a segment of either end. */
    void take(Packet packet, Packet.Tcp tcp) {
        boolean isThere = packet.from().equals(initiator);
        TcpDirection direction = isThere ? there : back;
        if (tcp.isSyn()) {
            direction.begin(tcp.sequence());
            return;
        }
        if (tcp.isAck()) {
            (isThere ? back : there).acknowledged(tcp.acknowledgement(), packet.nanoseconds());
        }
        requests.bind(replies.mpaFlags());
        replies.bind(requests.mpaFlags());
        direction.take(packet, tcp);
        hasEnded |= tcp.isReset() || (isThere && tcp.isFin());
        hasEndedBack |= tcp.isReset() || (!isThere && tcp.isFin());
    }

    /** Whether neither end will send more. */
    boolean isClosed() {
        return hasEnded && hasEndedBack;
    }

    /** Ends the connection. */
    void end(long nanoseconds) {
        there.end(nanoseconds);
        back.end(nanoseconds);
    }
}
