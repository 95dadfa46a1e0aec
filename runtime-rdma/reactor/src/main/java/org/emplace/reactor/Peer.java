// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * Whom shares count together: all connections from one IPv4 address or, because a host can use any address of its network, from one IPv6
 * network. A network is the first 64 bits of an address, or as many as the system property {@value #PREFIX_PROPERTY} says, from 1 to 128. An
 * IPv4-mapped address is the IPv4 address.
 *
 * <p>The order has no meaning: it keeps maps fast whose keys were chosen to have equal hash codes. Create one for each connection, not for each call.
 */
public final class Peer implements Comparable<Peer> {
    /** The system property for the length of an IPv6 network's prefix, in bits. */
    public static final String PREFIX_PROPERTY = "org.emplace.ipv6Prefix";

    private static final int USUAL_PREFIX = 64;
    private static final int PREFIX = Math.min(128, Math.max(1, Integer.getInteger(PREFIX_PROPERTY, USUAL_PREFIX)));

    /** What an IPv4-mapped address has between 80 bits of zeros and the IPv4 address (RFC 4291 section 2.5.5.2). */
    private static final long MAPPED = 0xffffL << 32;

    private final boolean isNetwork;
    private final long high;
    private final long low;

    private Peer(boolean isNetwork, long high, long low) {
        this.isNetwork = isNetwork;
        this.high = high;
        this.low = low;
    }

    /** The peer that uses an address. */
    public static Peer of(InetAddress address) {
        return of(address, PREFIX);
    }

    /** As {@link #of(InetAddress)}, with an IPv6 prefix of so many bits. */
    static Peer of(InetAddress address, int prefix) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        if (address instanceof Inet4Address) {
            return new Peer(false, 0, Integer.toUnsignedLong(bytes.getInt()));
        }
        long high = bytes.getLong();
        long low = bytes.getLong();
        if (high == 0 && (low & ~0xffff_ffffL) == MAPPED) {
            return new Peer(false, 0, low & 0xffff_ffffL);
        }
        return new Peer(true, high & leading(prefix), low & leading(prefix - Long.SIZE));
    }

    /** A mask of the first bits. */
    private static long leading(int bits) {
        if (bits <= 0) {
            return 0;
        }
        return bits >= Long.SIZE ? -1 : -1L << (Long.SIZE - bits);
    }

    @Override
    public int compareTo(Peer other) {
        int kinds = Boolean.compare(isNetwork, other.isNetwork);
        int highs = kinds != 0 ? kinds : Long.compare(high, other.high);
        return highs != 0 ? highs : Long.compare(low, other.low);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Peer peer && compareTo(peer) == 0;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(high * 31 + low);
    }

    /** The IPv4 address, or the first address of the IPv6 network. */
    @Override
    public String toString() {
        if (!isNetwork) {
            return "%d.%d.%d.%d".formatted(low >> 24, low >> 16 & 0xff, low >> 8 & 0xff, low & 0xff);
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            long word = (i < 4 ? high : low) >>> (48 - i % 4 * 16) & 0xffff;
            text.append(i == 0 ? "" : ":").append(Long.toHexString(word));
        }
        return text.append('/').append(PREFIX).toString();
    }
}
