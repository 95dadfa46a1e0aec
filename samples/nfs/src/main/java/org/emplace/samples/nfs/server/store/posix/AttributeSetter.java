// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Optional;
import org.emplace.samples.nfs.server.store.AttributeChange;
import org.emplace.samples.nfs.server.store.AttributeChange.NewTime;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.OpenFiles;
import org.emplace.samples.nfs.server.store.Store.WeakCacheConsistency;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.posix.Namespace.Locks;
import org.emplace.samples.nfs.server.store.posix.SystemCalls.SystemCall;

/** Sets attributes on descriptors as the caller. The kernel checks the caller's rights. */
record AttributeSetter(
        DirectoryTree tree, Credentials credentials, Contents contents, Locks locks, StableStorage stable) {
    private static final int MODE_BITS = 07777;
    private static final int KEEP_ID = -1;
    private static final long NOW = (1L << 30) - 1;
    private static final long KEEP_TIME = (1L << 30) - 2;

    WeakCacheConsistency set(Caller caller, FileId id, AttributeChange change, Optional<FileTime> guard)
            throws IOException {
        try (FileNode file = tree.node(id);
                Descriptor committed = stable.open(file)) {
            WeakCacheConsistency result = change.size().isPresent()
                    ? setWithSize(caller, file, change.size().get(), change, guard)
                    : set(caller, file, () -> 0, change, guard);
            stable.commit(committed);
            return result;
        }
    }

    /** Sets the length of a file without committing it, which may take long: the caller does that later. Added bytes are zeros. */
    void setSize(Caller caller, FileNode file, long size) throws IOException {
        try (OpenFiles<FileId, Writer>.Use open = toResize(caller, file, size)) {
            set(caller, file, resizing(open, size), AttributeChange.NONE, Optional.empty());
        }
    }

    /** Sets the length of a file, on stable storage. Added bytes are zeros. */
    void resize(Caller caller, FileNode file, long size) throws IOException {
        try (OpenFiles<FileId, Writer>.Use open = toResize(caller, file, size)) {
            set(caller, file, resizing(open, size), AttributeChange.NONE, Optional.empty());
            stable.commit(open.file().number());
        }
    }

    private WeakCacheConsistency setWithSize(
            Caller caller, FileNode file, long size, AttributeChange change, Optional<FileTime> guard)
            throws IOException {
        try (OpenFiles<FileId, Writer>.Use open = toResize(caller, file, size)) {
            return set(caller, file, resizing(open, size), change, guard);
        }
    }

    /** Allocates or frees a range of a file, on stable storage: a sum of flags says which. */
    WeakCacheConsistency allocate(Caller caller, FileId id, long offset, long length, int flags) throws IOException {
        try (FileNode file = tree.node(id).requireRegular();
                OpenFiles<FileId, Writer>.Use open = contents.openToResize(caller, file)) {
            int number = open.file().number();
            SystemCall change = () -> SystemCalls.allocate(number, flags, offset, length);
            WeakCacheConsistency result = set(caller, file, change, AttributeChange.NONE, Optional.empty());
            stable.commit(number);
            return result;
        }
    }

    private OpenFiles<FileId, Writer>.Use toResize(Caller caller, FileNode file, long size) throws IOException {
        if (size < 0) {
            throw new StoreException(Failure.FBIG, "a size beyond the largest offset");
        }
        return contents.openToResize(caller, file.requireRegular());
    }

    private static SystemCall resizing(OpenFiles<FileId, Writer>.Use open, long size) {
        int number = open.file().number();
        return () -> SystemCalls.setSize(number, size);
    }

    private WeakCacheConsistency set(
            Caller caller, FileNode file, SystemCall resize, AttributeChange change, Optional<FileTime> guard)
            throws IOException {
        synchronized (locks.of(file)) {
            FileAttributes before = file.now();
            if (guard.isPresent() && !guard.get().equals(before.changed())) {
                throw new StoreException(Failure.NOT_SYNC, "the file has changed since the client looked");
            }
            Errno.check(credentials.call(caller, resize), "setting a size or allocating");
            apply(caller, file, change);
            return new WeakCacheConsistency(Optional.of(before), Optional.of(file.now()));
        }
    }

    /**
     * Sets all attributes except the size. The owner comes before the mode, because changing the owner removes the set-user-ID and set-group-ID bits.
     * A symbolic link's mode has no meaning and cannot be changed.
     */
    void apply(Caller caller, FileNode file, AttributeChange change) throws IOException {
        int uid = change.uid().map(Long::intValue).orElse(KEEP_ID);
        int gid = change.gid().map(Long::intValue).orElse(KEEP_ID);
        if (uid != KEEP_ID || gid != KEEP_ID) {
            call(caller, () -> SystemCalls.setOwner(file.number(), uid, gid), "setting the owner");
        }
        if (change.mode().isPresent() && !file.attributes().isSymbolicLink()) {
            int mode = credentials.allowed(
                    change.mode().get() & MODE_BITS, file.attributes().isDirectory());
            call(caller, () -> SystemCalls.setMode(file.number(), mode), "setting the mode");
        }
        if (change.setsTimes()) {
            long[] times = new long[4];
            put(times, 0, change.accessed());
            put(times, 2, change.modified());
            call(caller, () -> SystemCalls.setTimes(file.number(), times), "setting times");
        }
    }

    private void call(Caller caller, SystemCall call, String what) throws IOException {
        Errno.check(credentials.call(caller, call), what);
    }

    private static void put(long[] times, int at, NewTime time) {
        if (time instanceof NewTime.Given given) {
            Instant instant = given.time().toInstant();
            times[at] = instant.getEpochSecond();
            times[at + 1] = instant.getNano();
        } else {
            times[at + 1] = time instanceof NewTime.ServersNow ? NOW : KEEP_TIME;
        }
    }
}
