// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.emplace.rpc.auth.AuthSys;
import org.emplace.xdr.XdrString;
import org.emplace.xdr.XdrUnsignedInts;

/** Who runs this process, for AUTH_SYS. */
final class CallerIdentity {
    private static final Path PROCESS = Path.of("/proc/self");
    private static final int MOST_GROUPS = 16;

    private CallerIdentity() {}

    /**
     * The process's user, group and further groups, as the kernel has them.
     *
     * @throws IOException if this system has no {@code /proc}
     */
    static AuthSys authSys() throws IOException {
        long user = ((Number) Files.getAttribute(PROCESS, "unix:uid")).longValue();
        long group = ((Number) Files.getAttribute(PROCESS, "unix:gid")).longValue();
        return new AuthSys(0, XdrString.of(machineName()), user, group, furtherGroups());
    }

    private static String machineName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost"; // AUTH_SYS wants some name; nobody decides by it
        }
    }

    private static XdrUnsignedInts furtherGroups() throws IOException {
        try (Stream<String> lines = Files.lines(PROCESS.resolve("status"))) {
            return XdrUnsignedInts.of(lines.filter(line -> line.startsWith("Groups:"))
                    .flatMap(line ->
                            Stream.of(line.substring("Groups:".length()).trim().split("\\s+")))
                    .filter(number -> !number.isEmpty())
                    .mapToLong(Long::parseLong)
                    .limit(MOST_GROUPS)
                    .toArray());
        }
    }
}
