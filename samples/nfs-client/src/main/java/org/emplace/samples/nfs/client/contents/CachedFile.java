// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.contents;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.emplace.samples.nfs.client.calls.RemoteAttributes;
import org.emplace.samples.nfs.client.calls.RemoteFiles;
import org.emplace.samples.nfs.client.calls.RemoteFiles.RemoteNode;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Sattr3;

/**
 * All that a mount knows of the contents of an open file, whichever channels read and write it: what waits to be written, what is being
 * written, what is stable, where the file ends, and whether data that was read ahead is still current. Every read and write of a channel,
 * stream, transfer or copy goes through it. Safe for use by several threads.
 *
 * <p>An operation that has ended, in whatever way, has no WRITE in flight: the server has answered it, or its connection has been reset.
 * Only what {@link #write} has gathered is sent later, in the order of the writes.
 */
public final class CachedFile {
    /** The position at which {@link #write} appends. */
    public static final long END = -1;

    /** The {@link #version} while a write that is under way has written nothing, something or all. */
    static final long UNSETTLED = -1;

    private final RemoteFiles calls;
    private final FileReader reader;
    private final FileWriter writer;
    private final NfsFh3 handle;
    private final boolean regular;
    private final Consumer<NfsFh3> changed;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition writeEnded = lock.newCondition();
    private final WriteBehind behind;
    private final List<Extent> underWay = new ArrayList<>();
    private final AtomicLong version = new AtomicLong();
    private volatile boolean unsettled;
    private final AtomicLong restarts = new AtomicLong(); // that may have lost bytes
    private volatile long restartsSettled;
    private volatile long sizeSeen;
    private long end;
    private boolean endIsKnown; // since an append that has not been sent
    private int uses; // guarded by the map of CachedFiles

    CachedFile(RemoteFiles calls, FileReader reader, FileWriter writer, RemoteNode node, Consumer<NfsFh3> changed) {
        this.calls = calls;
        this.reader = reader;
        this.writer = writer;
        this.handle = node.handle();
        this.regular = node.isRegularFile();
        this.changed = changed;
        this.behind = new WriteBehind(writer, handle, this::restarted);
        this.sizeSeen = node.attributes().size();
    }

    /** Who writes the file. */
    @FunctionalInterface
    public interface Writer {
        /** Called, by any thread, when bytes that this writer may have written cannot be stored and are discarded. */
        void lost(IOException why);
    }

    /** Bytes that an operation is writing. A transfer's grow with each WRITE; a truncation does not wait for it, since it has no fixed end. */
    private static final class Extent {
        final boolean isTransfer;
        volatile long end;

        Extent(long end, boolean isTransfer) {
            this.end = end;
            this.isTransfer = isTransfer;
        }
    }

    /** Calls, of which the last returns a result. */
    @FunctionalInterface
    interface Calls<R> {
        R make() throws IOException, InterruptedException;
    }

    void opened() {
        uses++;
    }

    /** Returns whether that was the last use. */
    boolean closed() {
        return --uses == 0;
    }

    /** The file's handle. */
    public NfsFh3 handle() {
        return handle;
    }

    /** Whether some bytes have not been sent, so that the server's attributes are old. */
    public boolean holdsUnsent() {
        return !behind.isFlushed();
    }

    /** A number that changes with the contents. What was read ahead is current if it was requested at the same version. */
    long version() {
        long now = version.get();
        return unsettled ? UNSETTLED : now;
    }

    /** How far the file is known to reach. */
    long sizeSeen() {
        return sizeSeen;
    }

    FileReader reader() {
        return reader;
    }

    /** Called when the mount has a new connection. */
    void reconnected() {
        if (behind.holdsBytes()) {
            restarted();
        }
    }

    private void restarted() {
        version.incrementAndGet(); // first: who finds it suspect is to read ahead anew
        restarts.incrementAndGet();
    }

    /** Whether the server may have lost, in a restart, what it had been sent. */
    private boolean isSuspect() {
        return restarts.get() != restartsSettled;
    }

    /**
     * A number that changes when the server may have lost something. A call that was made while it changed may show that, even if another
     * thread has sent everything again before it ended.
     */
    long restarts() {
        return restarts.get();
    }

    /** Sends what has been gathered, and waits for the answers. Writers are told of failures. */
    public void flush() throws InterruptedException {
        if (holdsUnsent() || isSuspect()) {
            lock.lockInterruptibly();
            try {
                if (isSuspect()) {
                    makeStable();
                } else {
                    behind.flush();
                    sent();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private void sent() {
        endIsKnown = false;
        changed.accept(handle);
    }

    /** Until it returns, the file stays suspect: if something has been lost, it is being sent again. */
    private boolean makeStable() throws InterruptedException {
        long restartsBefore = restarts.get();
        boolean any = behind.commit();
        restartsSettled = restartsBefore;
        if (any) {
            sent();
        }
        return any;
    }

    /** Brings to stable storage what a channel has written, if it has written anything. Writers are told of failures. */
    public void commit(Writer who) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (behind.isWrittenBy(who)) {
                makeStable();
            }
        } finally {
            lock.unlock();
        }
    }

    /** How often bytes of the file have been lost since it was opened, whoever wrote them. */
    public long losses() {
        return behind.losses().number();
    }

    /** Why bytes were lost the last time. */
    public IOException lastLoss() {
        return behind.losses().last();
    }

    /** Brings everything to stable storage, also what other clients have written, if there is nothing of this one. */
    public void force() throws IOException, InterruptedException {
        boolean any;
        lock.lockInterruptibly();
        try {
            any = makeStable();
        } finally {
            lock.unlock();
        }
        if (!any && regular) {
            writer.commit(handle);
            changed.accept(handle);
        }
    }

    /** Forgets what a writer has written and nobody else. Its WRITEs in flight are cancelled, which resets their connection. */
    public void abandon(Writer who) {
        lock.lock();
        try {
            if (behind.isWrittenBy(who)) {
                behind.forget(who);
                contentsChange();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Makes calls whose results show what has been written. Makes them again if the server may have lost that meanwhile. */
    <R> R asking(Calls<R> calls) throws IOException, InterruptedException {
        R result;
        long before;
        do {
            before = restarts();
            flush();
            result = calls.make();
        } while (restarts() != before);
        return result;
    }

    /** The file's current attributes. */
    public Fattr3 attributes() throws IOException, InterruptedException {
        Fattr3 now = asking(() -> calls.attributes(handle));
        sizeSeen = now.size();
        return now;
    }

    /** Sets attributes other than the size. */
    public void setAttributes(Sattr3 attributes) throws IOException, InterruptedException {
        flush(); // or WRITEs that follow would change the times again
        changed.accept(handle);
        try {
            calls.setAttributes(handle, attributes);
        } finally {
            changed.accept(handle);
        }
    }

    /**
     * Writes at a position, and advances the buffers over what has been taken. The bytes gather and are sent later, or are written in place.
     *
     * @param to the position, or {@link #END}
     * @param through whether to bring them to stable storage at once
     * @return the position; it is the end of the file at the time of the write, whatever other threads append
     */
    public long write(Writer who, Pieces from, long to, boolean through) throws IOException, InterruptedException {
        Extent rest;
        long at;
        long size = from.remaining();
        lock.lockInterruptibly();
        try {
            if (!holdsUnsent()) {
                endIsKnown = false; // others may have moved it since
            }
            at = to == END ? endOfFile() : to;
            if (size == 0) {
                return at;
            }
            end = Math.max(end, at + size);
            sizeSeen = Math.max(sizeSeen, at + size);
            boolean known = endIsKnown || to == END;
            endIsKnown = false; // if an interrupt ends the gathering, some of the bytes are left out
            if (!through && gather(who, from, at)) {
                endIsKnown = known;
                return at;
            }
            rest = begin(at + size - from.remaining(), at + size, new Extent(at + size, false));
        } finally {
            lock.unlock();
        }
        long written = at + size - from.remaining();
        try {
            writer.writeThrough(handle, written, from);
            from.advance(from.remaining());
            return at;
        } finally {
            ended(rest);
        }
    }

    /** Returns false if registered memory is missing for the rest. */
    private boolean gather(Writer who, Pieces from, long at) throws InterruptedException {
        long to = at + from.remaining();
        contentsChange();
        try {
            while (from.remaining() > 0) {
                int taken = behind.write(who, from.first(), to - from.remaining());
                if (taken <= 0) {
                    return taken == WriteBehind.LOST; // the writer knows
                }
            }
            return true;
        } finally {
            contentsChange(); // what was requested during the write may lack some of it
        }
    }

    /** Known without a call while appended bytes are held that have not been sent. */
    private long endOfFile() throws IOException, InterruptedException {
        if (!endIsKnown) {
            if (holdsUnsent()) {
                behind.flush();
                sent();
            }
            end = Math.max(
                    calls.attributes(handle).size(), behind.end()); // a restarted server may have lost the last ones
        }
        return underWay.stream().mapToLong(each -> each.end).reduce(end, Math::max);
    }

    /** Begins to write these bytes. What was written before must not be sent after them. */
    private Extent begin(long from, long to, Extent extent) throws InterruptedException {
        if (behind.holds(from, to)) {
            makeStable();
        }
        unsettled = true; // before the version changes: see version()
        underWay.add(extent);
        contentsChange();
        return extent;
    }

    private void ended(Extent extent) {
        lock.lock();
        try {
            underWay.remove(extent);
            endIsKnown = false; // it may have failed before it came to its end
            contentsChange();
            unsettled = !underWay.isEmpty();
            writeEnded.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void contentsChange() {
        version.incrementAndGet();
        changed.accept(handle);
    }

    /** Makes the file shorter, if it is longer. */
    public void truncate(long size) throws IOException, InterruptedException {
        lock.lockInterruptibly();
        try {
            settle();
            if (size < calls.attributes(handle).size()) {
                cut(size);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Sets the size. Returns the attributes after that, if the server sent them. */
    public Optional<Fattr3> setSize(long size) throws IOException, InterruptedException {
        lock.lockInterruptibly();
        try {
            settle();
            return cut(size);
        } finally {
            lock.unlock();
        }
    }

    /** What is cut off must not be sent later. */
    private void settle() throws InterruptedException {
        while (underWay.stream().anyMatch(each -> !each.isTransfer)) {
            writeEnded.await();
        }
        makeStable();
    }

    private Optional<Fattr3> cut(long size) throws IOException, InterruptedException {
        contentsChange();
        endIsKnown = false;
        try {
            Optional<Fattr3> now = calls.setAttributes(handle, RemoteAttributes.size(size));
            sizeSeen = size;
            return now;
        } finally {
            contentsChange();
        }
    }

    /** Reads bytes into a channel, until the file ends or the channel takes no more. */
    public long transferTo(long from, long count, WritableByteChannel target) throws IOException, InterruptedException {
        if (behind.holdsBytes()) {
            lock.lockInterruptibly();
            try {
                makeStable(); // as the target cannot give back what a restart proves to be old
            } finally {
                lock.unlock();
            }
        }
        return reader.read(handle, from, count, sizeSeen, target);
    }

    /**
     * Writes the next bytes of a channel, and brings them to stable storage. The source may be read several times.
     *
     * @return how many bytes
     */
    public long transferFrom(SeekableByteChannel source, long to, long count) throws IOException, InterruptedException {
        Extent extent;
        lock.lockInterruptibly();
        try {
            extent = begin(to, to + count, new Extent(to, true));
        } finally {
            lock.unlock();
        }
        try {
            return writer.write(source, handle, to, count, (from, end) -> reach(extent, from, end));
        } finally {
            ended(extent);
        }
    }

    /** A transfer is about to write these bytes. What has been appended there meanwhile must not be sent after them. */
    private void reach(Extent extent, long from, long to) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (behind.holds(from, to)) {
                makeStable();
            }
            extent.end = Math.max(extent.end, to); // or, if all is sent again, it would go back
        } finally {
            lock.unlock();
        }
        sizeSeen = Math.max(sizeSeen, to);
    }
}
