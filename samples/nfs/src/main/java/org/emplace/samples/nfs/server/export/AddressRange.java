// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.emplace.samples.nfs.server.export.ExportDefinition.ExportSyntaxException;

/** A range of client addresses: one address, a network, or all. */
public final class AddressRange {
    /** All addresses of both families. */
    public static final AddressRange ALL = new AddressRange("*", new byte[0], 0);

    /** Java looks up a greater number as a part of a name, and others read one that begins with 0 as octal. */
    private static final String OCTET = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";

    private static final Pattern IPV4 = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F.]*:[0-9a-fA-F:.]*");
    private static final Pattern HOST = Pattern.compile("(?=.*[a-zA-Z])\\w([\\w.-]*\\w)?\\.?");
    private static final String EXAMPLES =
            "a host's name, an address (192.0.2.1, fd00::1), a network (10.0.0.0/8, fd00::/8), or * for everybody";

    private final String text;
    private final byte[] address;
    private final int bits;

    private AddressRange(String text, byte[] address, int bits) {
        this.text = text;
        this.address = address;
        this.bits = bits;
    }

    /**
     * The ranges of a client: all addresses that a host's name has now, or one that {@link #parse} knows.
     *
     * @throws ExportSyntaxException if it is anything else, such as a netgroup, or a name without an address
     */
    static List<AddressRange> of(String client) throws ExportSyntaxException {
        if (!HOST.matcher(client).matches()) {
            return List.of(parse(client));
        }
        try {
            return Stream.of(InetAddress.getAllByName(client))
                    .map(InetAddress::getAddress)
                    .map(address -> new AddressRange(client, address, address.length * Byte.SIZE))
                    .distinct()
                    .toList();
        } catch (UnknownHostException e) {
            throw new ExportSyntaxException(
                    "'" + client + "' has no address: is the name right, and does the name service answer?");
        }
    }

    /**
     * Parses an address, a network ({@code ADDRESS/BITS} or, of IPv4, {@code ADDRESS/MASK}) or {@code *}. Does no name lookups.
     *
     * @throws ExportSyntaxException if it is anything else, such as a host name
     */
    public static AddressRange parse(String text) throws ExportSyntaxException {
        if (text.equals("*")) {
            return ALL;
        }
        int slash = text.indexOf('/');
        byte[] address = literal(slash < 0 ? text : text.substring(0, slash), text);
        int bits = slash < 0 ? address.length * Byte.SIZE : bits(text.substring(slash + 1), address, text);
        return new AddressRange(text, masked(address, bits), bits);
    }

    private static byte[] literal(String address, String whole) throws ExportSyntaxException {
        if (IPV4.matcher(address).matches() || IPV6.matcher(address).matches()) {
            try {
                return InetAddress.getByName(address).getAddress();
            } catch (UnknownHostException e) {
                throw new ExportSyntaxException("'" + whole + "' is not an address: clients are given as " + EXAMPLES);
            }
        }
        throw new ExportSyntaxException(
                "'" + whole + "' is not a client that this server knows; clients are given as " + EXAMPLES);
    }

    private static int bits(String length, byte[] address, String whole) throws ExportSyntaxException {
        int most = address.length * Byte.SIZE;
        if (IPV4.matcher(length).matches() && address.length == Integer.BYTES) {
            byte[] mask = literal(length, whole);
            for (int bits = 0; bits <= most; bits++) {
                if (Arrays.equals(mask, masked(new byte[] {-1, -1, -1, -1}, bits))) {
                    return bits;
                }
            }
        } else if (length.matches("\\d{1,3}") && Integer.parseInt(length) <= most) {
            return Integer.parseInt(length);
        }
        throw new ExportSyntaxException(
                "'" + whole + "' is not a network: the length of its prefix is a number from 0 to " + most);
    }

    private static byte[] masked(byte[] address, int bits) {
        byte[] network = address.clone();
        for (int i = 0; i < network.length; i++) {
            int kept = Math.max(0, Math.min(Byte.SIZE, bits - i * Byte.SIZE));
            network[i] &= (byte) (0xff00 >> kept);
        }
        return network;
    }

    /** Whether an address is in the range. */
    public boolean contains(InetAddress client) {
        if (isAll()) {
            return true;
        }
        byte[] bytes = client.getAddress();
        return bytes.length == address.length && Arrays.equals(masked(bytes, bits), address);
    }

    /** Whether the range is all addresses of both families. */
    boolean isAll() {
        return address.length == 0;
    }

    /** Whether the range is all addresses of at least one family. */
    public boolean isOpen() {
        return bits == 0;
    }

    /** The number of prefix bits that addresses in the range share. If several ranges contain a client, the one with the longest prefix applies. */
    int specificity() {
        return isAll() ? -1 : bits;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AddressRange range && bits == range.bits && Arrays.equals(address, range.address);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(address) + bits;
    }

    /** The text from which it was parsed. */
    @Override
    public String toString() {
        return text;
    }
}
