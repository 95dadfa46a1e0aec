// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.mount;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.emplace.rpc.auth.AuthSys;
import org.emplace.xdr.XdrString;
import org.emplace.xdr.XdrUnsignedInts;

/** The user and groups of this process, for AUTH_SYS, and its umask. */
public final class CallerIdentity {
    private static final Path PROCESS = Path.of("/proc/self");
    private static final int MOST_GROUPS = 16;
    private static final int USUAL_UMASK = 022;

    private CallerIdentity() {}

    /**
     * The process's user, group and supplementary groups, as the kernel knows them. A caller with another user or group has no
     * supplementary groups.
     *
     * @throws IOException if they are needed and this system has no {@code /proc}
     */
    static AuthSys authSys(OptionalLong uid, OptionalLong gid) throws IOException {
        boolean own = uid.isEmpty() && gid.isEmpty();
        long user = uid.isPresent() ? uid.getAsLong() : number("unix:uid");
        long group = gid.isPresent() ? gid.getAsLong() : number("unix:gid");
        XdrUnsignedInts groups = own ? furtherGroups() : XdrUnsignedInts.of();
        return new AuthSys(0, XdrString.of(machineName()), user, group, groups);
    }

    private static long number(String attribute) throws IOException {
        return ((Number) Files.getAttribute(PROCESS, attribute)).longValue();
    }

    /** The permission bits that this process clears in what it creates; 022 if they are unknown. */
    public static int umask() {
        try {
            return status("Umask:")
                    .mapToInt(octal -> Integer.parseInt(octal, 8))
                    .findFirst()
                    .orElse(USUAL_UMASK);
        } catch (IOException e) {
            return USUAL_UMASK;
        }
    }

    private static String machineName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost"; // AUTH_SYS requires a name; servers ignore it
        }
    }

    private static XdrUnsignedInts furtherGroups() throws IOException {
        return XdrUnsignedInts.of(status("Groups:")
                .flatMap(numbers -> Stream.of(numbers.split("\\s+")))
                .filter(number -> !number.isEmpty())
                .mapToLong(Long::parseLong)
                .limit(MOST_GROUPS)
                .toArray());
    }

    /** The values in one line of {@code /proc/self/status}. */
    private static Stream<String> status(String field) throws IOException {
        return Files.readAllLines(PROCESS.resolve("status")).stream()
                .filter(line -> line.startsWith(field))
                .map(line -> line.substring(field.length()).trim());
    }
}
