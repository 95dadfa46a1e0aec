// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import com.sun.jna.Native;
import com.sun.jna.Platform;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.emplace.samples.nfs.server.store.Caller;
import org.jspecify.annotations.Nullable;

/**
 * Maps the principals of one realm to the users of this system with the same names, and their groups, as getpwnam(3) and getgrouplist(3) find them. Principals
 * of other realms, and those with an instance, such as {@code nfs/host}, are no users. What was found is remembered for a minute.
 */
public final class SystemUsers implements PrincipalMap {
    private static final long REMEMBERED_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int MOST_REMEMBERED = 10_000;

    private final String suffix;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    /** @param realm the server's own */
    public SystemUsers(String realm) {
        suffix = "@" + realm;
    }

    private record Known(Optional<Caller> user, long since) {}

    @Override
    public Optional<Caller> find(String principal) {
        long now = System.nanoTime();
        @Nullable Known latest = known.get(principal);
        if (latest != null && now - latest.since < REMEMBERED_NANOS) {
            return latest.user;
        }
        if (known.size() >= MOST_REMEMBERED) {
            known.clear();
        }
        Optional<Caller> user = user(principal);
        known.put(principal, new Known(user, now));
        return user;
    }

    private Optional<Caller> user(String principal) {
        String name = principal.endsWith(suffix) ? principal.substring(0, principal.length() - suffix.length()) : "";
        return name.matches("[^/@\\\\\0]+") ? LibC.user(name) : Optional.empty();
    }

    /** The C library's functions. */
    private static final class LibC {
        private static final int ERANGE = 34;
        private static final int LARGEST_ENTRY = 1 << 20;
        /** More than struct passwd has. */
        private static final int PASSWD = 128;

        private static final int MOST_GROUPS = 65_536;

        static {
            Native.register(LibC.class, Platform.C_LIBRARY_NAME);
        }

        private LibC() {}

        static native int getpwnam_r(byte[] name, byte[] passwd, byte[] buffer, long length, long[] result);

        static native int getgrouplist(byte[] name, int group, int[] groups, int[] count);

        static Optional<Caller> user(String user) {
            byte[] name = (user + "\0").getBytes(StandardCharsets.UTF_8);
            byte[] passwd = new byte[PASSWD];
            long[] result = new long[1];
            int length = 1 << 12;
            int error;
            do {
                error = getpwnam_r(name, passwd, new byte[length], length, result);
                length *= 4;
            } while (error == ERANGE && length <= LARGEST_ENTRY);
            if (error != 0 || result[0] == 0) {
                return Optional.empty();
            }
            // Two pointers, to the name and the password, precede the numbers.
            ByteBuffer numbers =
                    ByteBuffer.wrap(passwd).order(ByteOrder.nativeOrder()).position(2 * Native.POINTER_SIZE);
            int uid = numbers.getInt();
            int gid = numbers.getInt();
            int[] count = {64};
            int[] groups = new int[count[0]];
            while (getgrouplist(name, gid, groups, count) < 0 && groups.length < MOST_GROUPS) {
                count[0] = 4 * groups.length;
                groups = new int[count[0]];
            }
            return Optional.of(new Caller(
                    Integer.toUnsignedLong(uid),
                    Integer.toUnsignedLong(gid),
                    Arrays.stream(groups, 0, Math.min(groups.length, count[0]))
                            .mapToObj(Integer::toUnsignedLong)
                            .collect(Collectors.toUnmodifiableSet())));
        }
    }
}
