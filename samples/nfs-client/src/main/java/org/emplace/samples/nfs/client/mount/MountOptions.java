// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.mount;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.emplace.rpc.CallObserver;
import org.emplace.rpc.CallOptions.Recovery;
import org.emplace.samples.nfs.client.RemotePath;
import org.emplace.samples.nfs.security.SecurityFlavor;

/**
 * The options of a mount, which have the names that mount.nfs and libnfs give them.
 *
 * @param protocol the transport of NFS calls: rdma or tcp
 * @param mountPort TCP port of the server's MOUNT program; {@link #ANY_PORT} to ask the server's rpcbind, and to use {@link #MOUNT_PORT} if that fails
 * @param timeout for connecting and for each call; positive
 * @param recovery whether and how long calls are sent again after the connection was lost
 * @param readSize the most bytes of a READ; the server's limit applies too
 * @param writeSize the most bytes of a WRITE; the server's limit applies too
 * @param uid the user in whose name calls are made; by default that of this process
 * @param gid the group in whose name calls are made; by default that of this process
 * @param flavor how calls are authenticated and protected; never weaker than this
 * @param keytab the keys of {@code principal}, in place of the tickets that kinit left
 * @param principal who calls by Kerberos; only with a keytab
 * @param observer notified of every NFS call
 */
public record MountOptions(
        String protocol,
        int mountPort,
        Duration timeout,
        Recovery recovery,
        int readSize,
        int writeSize,
        OptionalLong uid,
        OptionalLong gid,
        SecurityFlavor flavor,
        Optional<Path> keytab,
        Optional<String> principal,
        CallObserver observer) {
    /** The port of the MOUNT program on servers that fix it, such as this project's: 20048, as IANA assigned it. */
    static final int MOUNT_PORT = 20048;

    /** Stands for an unknown port. */
    static final int ANY_PORT = -1;

    private static final Set<String> NAMES =
            Set.of("proto", "mountport", "timeo", "hard", "rsize", "wsize", "uid", "gid", "sec", "keytab", "principal");
    private static final int LARGEST_TRANSFER = 1 << 20;
    private static final long LARGEST_ID = 0xffff_ffffL;

    /**
     * Returns the options in a location's URL, {@code ?NAME=VALUE&...}, and further ones. The defaults are RDMA, the MOUNT port that rpcbind
     * names, one minute for each call (including reconnection), and no observer.
     *
     * @param further options that override those in the URL
     * @throws IllegalArgumentException if an option is invalid; the message says why
     */
    public static MountOptions of(RemotePath place, Map<String, ?> further) {
        Map<String, Object> given = new HashMap<>();
        if (!place.options().isEmpty()) {
            for (String option : place.options().split("&", -1)) {
                String[] parts = option.split("=", 2);
                put(given, decoded(parts[0]), parts.length == 1 ? "" : decoded(parts[1]));
            }
        }
        CallObserver observer = CallObserver.NONE;
        for (Map.Entry<String, ?> option : further.entrySet()) {
            if (option.getKey().equals("observer") && option.getValue() instanceof CallObserver wanted) {
                observer = wanted;
            } else {
                put(given, option.getKey(), option.getValue());
            }
        }
        SecurityFlavor flavor = flavor(given.getOrDefault("sec", "sys").toString());
        Optional<String> keytab = Optional.ofNullable(given.get("keytab")).map(Object::toString);
        Optional<String> principal = Optional.ofNullable(given.get("principal")).map(Object::toString);
        requireFitting(flavor, given);
        return new MountOptions(
                protocol(given.getOrDefault("proto", "rdma").toString()),
                (int) number(given, "mountport", 1, 0xffff).orElse(ANY_PORT),
                Duration.ofMillis(100 * number(given, "timeo", 1, 864_000).orElse(600)),
                Boolean.TRUE.equals(given.get("hard")) ? Recovery.HARD : Recovery.SOFT,
                (int) number(given, "rsize", 1024, LARGEST_TRANSFER).orElse(LARGEST_TRANSFER),
                (int) number(given, "wsize", 1024, LARGEST_TRANSFER).orElse(LARGEST_TRANSFER),
                number(given, "uid", 0, LARGEST_ID),
                number(given, "gid", 0, LARGEST_ID),
                flavor,
                keytab.map(Path::of),
                principal,
                observer);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** Adds an option, which replaces an earlier one. "soft" is the opposite of "hard". */
    private static void put(Map<String, Object> given, String name, Object value) {
        if (name.equals("hard") || name.equals("soft")) {
            given.put("hard", flag(name, value.toString()) == name.equals("hard"));
        } else if (NAMES.contains(name)) {
            given.put(name, value);
        } else {
            throw new IllegalArgumentException(
                    "there is no option '" + name
                            + "'; there are proto, mountport, timeo, hard, soft, rsize, wsize, uid, gid, sec, keytab and principal");
        }
    }

    private static boolean flag(String name, String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "", "1", "true" -> true;
            case "0", "false" -> false;
            default -> throw new IllegalArgumentException(name + "=" + text + ": must be true or false");
        };
    }

    private static String protocol(String text) {
        String protocol = text.toLowerCase(Locale.ROOT);
        if (!protocol.equals("rdma") && !protocol.equals("tcp")) {
            throw new IllegalArgumentException("proto=" + text + ": must be rdma or tcp");
        }
        return protocol;
    }

    private static SecurityFlavor flavor(String text) {
        return SecurityFlavor.of(text)
                .orElseThrow(() -> new IllegalArgumentException("sec=" + text + ": must be sys, krb5, krb5i or krb5p"));
    }

    /** Rejects options that would have no effect. */
    private static void requireFitting(SecurityFlavor flavor, Map<String, Object> given) {
        boolean byKerberos = flavor.service().isPresent();
        for (String name : byKerberos ? List.of("uid", "gid") : List.of("keytab", "principal")) {
            if (given.containsKey(name)) {
                throw new IllegalArgumentException(name + ": has no meaning with sec=" + flavor
                        + (byKerberos ? "" : "; give sec=krb5, krb5i or krb5p"));
            }
        }
        if (given.containsKey("keytab") != given.containsKey("principal")) {
            throw new IllegalArgumentException(
                    "keytab and principal: give both, or neither to use the tickets that kinit left");
        }
    }

    private static OptionalLong number(Map<String, Object> given, String name, long least, long largest) {
        if (!given.containsKey(name)) {
            return OptionalLong.empty();
        }
        String text = String.valueOf(given.get(name));
        try {
            long number = Long.parseLong(text);
            if (number >= least && number <= largest) {
                return OptionalLong.of(number);
            }
        } catch (NumberFormatException e) {
            // Reported below, like a number out of range.
        }
        throw new IllegalArgumentException(name + "=" + text + ": must be a number from " + least + " to " + largest);
    }
}
