// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import jdk.net.ExtendedSocketOptions;

/** Configures the probes with which TCP detects that the peer of an idle connection has vanished. */
public final class KeepAliveProbes {
    private static final int PROBES = 3;

    private KeepAliveProbes() {}

    /**
     * Makes a connection end with an error when its peer has been silent for about this time and answers no probe. TCP sends no probes while
     * sent bytes are unacknowledged: it retransmits them for as long as the system is configured to. If the system cannot set the times for one
     * socket, its own times apply.
     *
     * @param bound at least two seconds
     * @throws IOException if the socket is closed
     */
    public static void within(Duration bound, SocketChannel socket) throws IOException {
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        if (socket.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPCOUNT)) {
            int half = (int) Math.min(Short.MAX_VALUE, Math.max(1, bound.toSeconds() / 2));
            socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, half);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, Math.max(1, half / PROBES));
            socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, Math.min(half, PROBES));
        }
    }
}
