// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * One end of a connection.
 *
 * @param address of 4 or 16 bytes
 * @param port of TCP or UDP
 */
record Endpoint(ByteBuffer address, int port) {

    /** An address as text; IPv6 in brackets. */
    static String text(ByteBuffer address) {
        byte[] bytes = new byte[address.remaining()];
        address.duplicate().get(bytes);
        try {
            String text = InetAddress.getByAddress(bytes).getHostAddress();
            return bytes.length == 4 ? text : "[" + text + "]";
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("no address has " + bytes.length + " bytes", e);
        }
    }

    @Override
    public String toString() {
        return text(address) + ":" + port;
    }
}
