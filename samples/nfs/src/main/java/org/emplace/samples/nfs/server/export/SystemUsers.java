// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import com.sun.jna.Native;
import com.sun.jna.Platform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.emplace.reactor.Workers;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.jspecify.annotations.Nullable;

/**
 * Maps the principals of one realm to the users of this system with the same names, and their groups, as getpwnam(3) and getgrouplist(3) find them. Principals
 * of other realms, and those with an instance, such as {@code nfs/host}, are no users.
 *
 * <p>A look-up may ask a directory service, which may not answer. So look-ups run on four threads of their own, at most one for each name. A call waits
 * half a second for one; then it gets JUKEBOX, so that its client tries again. What was found is remembered for a minute, and used for ten while it
 * cannot be looked up again.
 */
public final class SystemUsers implements PrincipalMap {
    private static final long REMEMBERED_NANOS = Duration.ofMinutes(1).toNanos();
    private static final long USED_NANOS = Duration.ofMinutes(10).toNanos();
    private static final long WAITED_NANOS = Duration.ofMillis(500).toNanos();
    private static final int MOST_REMEMBERED = 10_000;
    private static final int MOST_THREADS = 4;
    private static final int MOST_WAITING = 256;

    private final String suffix;
    private final UserSource source;
    private final Map<String, LookUp> lookUps = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            MOST_THREADS,
            MOST_THREADS,
            1,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            Workers.named("nfs-users"));

    /** @param realm the server's own */
    public SystemUsers(String realm) {
        this(realm, LibC.users());
    }

    SystemUsers(String realm, UserSource source) {
        this.suffix = "@" + realm;
        this.source = source;
        threads.allowCoreThreadTimeOut(true);
    }

    /** Finds users by their names. */
    @FunctionalInterface
    interface UserSource {
        /**
         * Blocks.
         *
         * @return empty if there is no such user
         * @throws IOException if it is not known whether there is
         */
        Optional<Caller> find(String name) throws IOException;
    }

    /** The latest look-up of a name; the one before counts while this one has found nothing. */
    private record LookUp(
            CompletableFuture<Optional<Caller>> user,
            long since,
            @Nullable LookUp before) {
        boolean isDue(long now) {
            return user.isDone() && now - since >= (hasFailed() ? WAITED_NANOS : REMEMBERED_NANOS);
        }

        boolean hasFailed() {
            return user.isCompletedExceptionally();
        }

        /** The latest that has found something; null if there is none. */
        @Nullable
        LookUp latest(long now) {
            LookUp latest = user.isDone() && !hasFailed() ? this : before;
            return latest == null || now - latest.since >= USED_NANOS ? null : latest;
        }
    }

    @Override
    public Optional<Caller> find(String principal) throws StoreException {
        String name = principal.endsWith(suffix) ? principal.substring(0, principal.length() - suffix.length()) : "";
        if (!name.matches("[^/@\\\\\0]+")) {
            return Optional.empty();
        }
        long now = System.nanoTime();
        LookUp known = lookUps.get(name);
        if (known == null || known.isDue(now)) {
            if (lookUps.size() >= MOST_REMEMBERED) {
                lookUps.values().removeIf(each -> each.user.isDone());
            }
            known = lookUps.compute(
                    name, (key, before) -> before == null || before.isDue(now) ? begin(key, before, now) : before);
        }
        LookUp latest = known.latest(now);
        return latest == null ? awaited(known, now) : latest.user.join();
    }

    private LookUp begin(String name, @Nullable LookUp before, long now) {
        CompletableFuture<Optional<Caller>> user = new CompletableFuture<>();
        try {
            threads.execute(() -> {
                try {
                    user.complete(source.find(name));
                } catch (IOException | RuntimeException | Error failure) {
                    user.completeExceptionally(failure);
                }
            });
        } catch (RejectedExecutionException | OutOfMemoryError busy) {
            user.completeExceptionally(new IOException("too many look-ups wait", busy));
        }
        return new LookUp(user, now, before == null ? null : before.latest(now));
    }

    private static Optional<Caller> awaited(LookUp lookUp, long now) throws StoreException {
        try {
            return lookUp.user.get(Math.max(0, lookUp.since + WAITED_NANOS - now), TimeUnit.NANOSECONDS);
        } catch (TimeoutException slow) {
            throw notFound("the system has not answered yet");
        } catch (ExecutionException failed) {
            throw notFound(String.valueOf(failed.getCause()));
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            throw notFound("interrupted");
        }
    }

    private static StoreException notFound(String why) {
        return new StoreException(Failure.JUKEBOX, "a user could not be looked up: " + why);
    }

    /** The C library's functions. */
    private static final class LibC {
        private static final int ERANGE = 34;
        /** What getpwnam_r may return for a name that does not exist, by its manual page: 0, ENOENT, ESRCH, EBADF, EPERM. */
        private static final Set<Integer> NO_SUCH_USER = Set.of(0, 2, 3, 9, 1);

        private static final int LARGEST_ENTRY = 1 << 20;
        /** More than struct passwd has. */
        private static final int PASSWD = 128;

        private static final int MOST_GROUPS = 65_536;

        static {
            Native.register(LibC.class, Platform.C_LIBRARY_NAME);
        }

        private LibC() {}

        /** Loads the library, so that no call has to wait for that. */
        static UserSource users() {
            return LibC::user;
        }

        static native int getpwnam_r(byte[] name, byte[] passwd, byte[] buffer, long length, long[] result);

        static native int getgrouplist(byte[] name, int group, int[] groups, int[] count);

        static Optional<Caller> user(String user) throws IOException {
            byte[] name = (user + "\0").getBytes(StandardCharsets.UTF_8);
            byte[] passwd = new byte[PASSWD];
            long[] result = new long[1];
            int length = 1 << 12;
            int error;
            do {
                error = getpwnam_r(name, passwd, new byte[length], length, result);
                length *= 4;
            } while (error == ERANGE && length <= LARGEST_ENTRY);
            if (result[0] == 0) {
                if (!NO_SUCH_USER.contains(error)) {
                    throw new IOException("getpwnam_r failed with error number " + error);
                }
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
