// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.mount;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.emplace.rpc.CallObserver;
import org.emplace.rpc.CallOptions.Recovery;
import org.emplace.samples.nfs.client.RemotePath;

/**
 * The address of an export with the options of its mount: {@code nfs://HOST[:PORT]/EXPORT?NAME=VALUE&...}. The options have the names that
 * mount.nfs and libnfs give them.
 */
public record MountUri(RemotePath place, MountOptions options) {
    private static final String OPTIONS = "proto, mountport, timeo, hard, soft, rsize, wsize, uid and gid";
    private static final long LARGEST_ID = 0xffff_ffffL;

    /**
     * Parses a URI.
     *
     * @param environment further options, which override those in the URI
     * @throws IllegalArgumentException if the URI or an option is invalid; the message says why
     */
    public static MountUri parse(URI uri, Map<String, ?> environment) {
        RemotePath place = place(uri);
        MountOptions options = MountOptions.DEFAULT;
        if (!place.options().isEmpty()) {
            for (String option : place.options().split("&", -1)) {
                int equals = option.indexOf('=');
                String name = equals < 0 ? option : option.substring(0, equals);
                options = with(options, decoded(name), equals < 0 ? "" : decoded(option.substring(equals + 1)));
            }
        }
        for (Map.Entry<String, ?> option : environment.entrySet()) {
            options = with(options, option.getKey(), option.getValue());
        }
        return new MountUri(place, options);
    }

    /** The location that a URI names, without its options. */
    public static RemotePath place(URI uri) {
        if (uri.isOpaque() || uri.getRawAuthority() == null || uri.getRawFragment() != null) {
            throw new IllegalArgumentException("'" + uri + "' is not of the form nfs://HOST[:PORT]/EXPORT/PATH");
        }
        return RemotePath.parse(uri.toString());
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static MountOptions with(MountOptions options, String name, Object value) {
        if (name.equals("observer") && value instanceof CallObserver observer) {
            return options.withObserver(observer);
        }
        String text = value.toString();
        MountOptions.TransferSizes sizes = options.sizes();
        MountOptions.Caller caller = options.caller();
        return switch (name) {
            case "proto" -> options.withProtocol(protocol(text));
            case "mountport" -> options.withMountPort((int) number(name, text, 1, 0xffff));
            case "timeo" -> options.withTimeout(Duration.ofMillis(100 * number(name, text, 1, 864_000)));
            case "hard" -> options.withRecovery(flag(name, text) ? Recovery.HARD : Recovery.SOFT);
            case "soft" -> options.withRecovery(flag(name, text) ? Recovery.SOFT : Recovery.HARD);
            case "rsize" -> options.withSizes(new MountOptions.TransferSizes(size(name, text), sizes.write()));
            case "wsize" -> options.withSizes(new MountOptions.TransferSizes(sizes.read(), size(name, text)));
            case "uid" -> options.withCaller(new MountOptions.Caller(id(name, text), caller.gid()));
            case "gid" -> options.withCaller(new MountOptions.Caller(caller.uid(), id(name, text)));
            default -> throw new IllegalArgumentException("there is no option '" + name + "'; there are " + OPTIONS);
        };
    }

    private static MountOptions.Protocol protocol(String text) {
        for (MountOptions.Protocol protocol : MountOptions.Protocol.values()) {
            if (protocol.scheme().equals(text.toLowerCase(Locale.ROOT))) {
                return protocol;
            }
        }
        throw new IllegalArgumentException("proto=" + text + ": must be rdma or tcp");
    }

    private static boolean flag(String name, String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "", "1", "true" -> true;
            case "0", "false" -> false;
            default -> throw new IllegalArgumentException(name + "=" + text + ": must be true or false");
        };
    }

    private static int size(String name, String text) {
        return (int) number(name, text, 1024, MountOptions.TransferSizes.LARGEST);
    }

    private static OptionalLong id(String name, String text) {
        return OptionalLong.of(number(name, text, 0, LARGEST_ID));
    }

    private static long number(String name, String text, long least, long largest) {
        try {
            long number = Long.parseLong(text);
            if (number >= least && number <= largest) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, like a number out of range.
        }
        throw new IllegalArgumentException(name + "=" + text + ": must be a number from " + least + " to " + largest);
    }
}
