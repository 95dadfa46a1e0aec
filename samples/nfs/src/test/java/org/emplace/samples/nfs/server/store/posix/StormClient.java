// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.emplace.samples.nfs.path.PathBytes;
import org.emplace.samples.nfs.server.store.AttributeChange;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.Creation;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.FileType;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.Store.FoundFile;
import org.emplace.samples.nfs.server.store.Store.ReadableFile;
import org.emplace.samples.nfs.server.store.Store.Stability;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.TestedStore;
import org.emplace.xdr.Payload;

/** A client that does random operations on all files that it knows. */
final class StormClient implements Runnable {
    private static final int KNOWN = 24;
    private static final int NULL_DEVICE = 0x103;
    private static final int LONGER = 20;

    private final Store store;
    private final Caller caller;
    private final byte[] canary;
    private final Random random;
    private final int operations;
    private final int wanted;
    private final List<FileId> known = new ArrayList<>();
    private final FileId root;
    private volatile String running = "";
    private volatile long since;
    private final AtomicLong succeeded;

    /**
     * A client that has not started.
     *
     * @param operations the least number of its operations
     * @param wanted how many operations of all clients must succeed; until then it continues, up to {@value #LONGER} times as long
     * @param succeeded counts the successful operations of all clients
     */
    StormClient(
            Store store, Caller caller, Path canary, Random random, int operations, int wanted, AtomicLong succeeded)
            throws IOException {
        this.store = store;
        this.caller = caller;
        this.canary = PathBytes.of(canary);
        this.random = random;
        this.operations = operations;
        this.wanted = wanted;
        this.succeeded = succeeded;
        this.root = store.root().id();
    }

    /** A name that all clients use, for files and directories. */
    static String name(Random random) {
        return (random.nextBoolean() ? "d" : "f") + random.nextInt(4);
    }

    /** The operation that has been running for longer than this number of nanoseconds. */
    Optional<String> unansweredFor(long nanos) {
        String operation = running;
        long start = since;
        return operation.isEmpty() || System.nanoTime() - start < nanos ? Optional.empty() : Optional.of(operation);
    }

    @Override
    public void run() {
        for (int i = 0; i < operations || (succeeded.get() < wanted && i < LONGER * operations); i++) {
            int which = random.nextInt(20);
            since = System.nanoTime();
            running = "operation " + which;
            try {
                operate(which);
                succeeded.incrementAndGet();
            } catch (StoreException expected) {
                // Most operations find a file of another type, or none.
            } catch (IOException e) {
                throw new IllegalStateException("operation " + which, e);
            } finally {
                running = "";
            }
        }
    }

    private void operate(int which) throws IOException {
        switch (which) {
            case 0, 1, 2 -> know(store.lookup(caller, directory(), fileName()));
            case 3 ->
                know(store.create(caller, directory(), fileName(), creation()).file());
            case 4, 5 ->
                know(store.makeDirectory(caller, directory(), fileName(), mode())
                        .file());
            case 6 ->
                know(store.makeSymbolicLink(caller, directory(), fileName(), target(), AttributeChange.NONE)
                        .file());
            case 7 ->
                know(store.makeNode(caller, directory(), fileName(), FileType.FIFO, 0, mode())
                        .file());
            case 8 ->
                know(store.makeNode(caller, directory(), fileName(), FileType.CHARACTER_DEVICE, NULL_DEVICE, mode())
                        .file());
            case 9 -> know(store.link(caller, any(), directory(), fileName()).file());
            case 10 -> store.remove(caller, directory(), fileName());
            case 11 -> store.removeDirectory(caller, directory(), fileName());
            case 12, 13 -> store.rename(caller, directory(), fileName(), directory(), fileName());
            case 14 -> write();
            case 15 -> read();
            case 16 -> store.setAttributes(caller, any(), change(), Optional.empty());
            case 17 -> list();
            case 18 -> {
                store.access(caller, any(), 0x3f);
                store.readLink(any());
            }
            default -> {
                store.file(any());
                know(store.lookup(caller, directory(), FileName.of("..")));
                store.commit(caller, any());
            }
        }
    }

    private void know(FoundFile found) {
        if (known.size() < KNOWN) {
            known.add(found.id());
        } else {
            known.set(random.nextInt(KNOWN), found.id());
        }
    }

    private FileId any() {
        return known.isEmpty() ? root : known.get(random.nextInt(known.size()));
    }

    private FileId directory() {
        return random.nextInt(3) == 0 ? root : any();
    }

    private FileName fileName() {
        return FileName.of(name(random));
    }

    private byte[] target() {
        return random.nextBoolean() ? canary : ("../canary/" + name(random)).getBytes(StandardCharsets.US_ASCII);
    }

    private AttributeChange mode() {
        return AttributeChange.NONE.withMode(0700 | random.nextInt(0100));
    }

    private Creation creation() {
        return switch (random.nextInt(3)) {
            case 0 -> new Creation.Unchecked(TestedStore.size(random.nextInt(100)));
            case 1 -> new Creation.Guarded(mode());
            default -> new Creation.Exclusive(random.nextInt(4));
        };
    }

    private AttributeChange change() {
        FileTime time = FileTime.fromMillis(random.nextInt());
        return switch (random.nextInt(4)) {
            case 0 -> TestedStore.mode(random.nextInt(010000) | 0700);
            case 1 -> TestedStore.size(random.nextInt(10_000));
            case 2 -> TestedStore.owner(1001, 1002);
            default -> TestedStore.times(time, time);
        };
    }

    private void write() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(random.nextInt(5000));
        Stability stability = random.nextInt(50) == 0 ? Stability.FILE_SYNC : Stability.UNSTABLE;
        store.write(caller, any(), random.nextInt(10_000), Payload.of(bytes), stability);
    }

    private void read() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(100);
        try (ReadableFile reading = store.read(caller, any())) {
            reading.read(bytes, 0);
            reading.attributes();
        }
        String content = new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII);
        if (content.contains(Canary.CONTENT)) {
            throw new IOException("a client read what is outside of the export");
        }
    }

    private void list() throws IOException {
        FileId directory = directory();
        int most = random.nextInt(10);
        long[] cookie = new long[1];
        int[] taken = new int[1];
        boolean withFiles = random.nextBoolean();
        boolean end = false;
        for (int page = 0; page < 4 && !end; page++) {
            taken[0] = 0;
            List<FoundFile> found = new ArrayList<>();
            end = store.list(caller, directory, cookie[0], 0, withFiles, entry -> {
                        if (taken[0]++ >= most) {
                            return false;
                        }
                        entry.file().ifPresent(found::add);
                        cookie[0] = entry.cookie();
                        return true;
                    })
                    .end();
            for (FoundFile file : found) {
                know(file);
                assertThat(store.file(file.id()).attributes().number())
                        .as("the number of a listed file")
                        .isEqualTo(file.attributes().number());
            }
        }
    }

    /** A small tree outside of an export. No test may change or even read it. */
    static final class Canary {
        /** The content of its files. */
        static final String CONTENT = "canary";

        /** Its names are those that clients use in the export. */
        private static final List<String> FILES = List.of("f0", "f1", "d0/f0", "d0/f1", "d1/f2");

        final Path directory;
        private final List<Map<String, Object>> before;

        Canary(Path directory) throws IOException {
            this.directory = directory;
            Files.createDirectories(directory.resolve("d0"));
            Files.createDirectories(directory.resolve("d1"));
            for (String file : FILES) {
                Path path = directory.resolve(file);
                Files.writeString(path, CONTENT, StandardCharsets.UTF_8);
                Files.setAttribute(path, "unix:mode", 0666);
                // Older than the last change, so that every file system records the first read.
                Files.setAttribute(path, "lastAccessTime", FileTime.from(Instant.ofEpochSecond(1_000_000)));
            }
            for (String name : new String[] {"", "d0", "d1"}) {
                Files.setAttribute(directory.resolve(name), "unix:mode", 0777);
            }
            this.before = attributes();
        }

        private List<Map<String, Object>> attributes() throws IOException {
            List<Map<String, Object>> found = new ArrayList<>();
            for (String file : FILES) {
                found.add(Files.readAttributes(
                        directory.resolve(file),
                        "unix:ino,mode,uid,gid,nlink,size,lastAccessTime,lastModifiedTime,ctime",
                        LinkOption.NOFOLLOW_LINKS));
            }
            for (String name : new String[] {"", "d0", "d1"}) {
                found.add(Files.readAttributes(
                        directory.resolve(name),
                        "unix:ino,mode,uid,gid,nlink,size,lastModifiedTime,ctime",
                        LinkOption.NOFOLLOW_LINKS));
            }
            return found;
        }

        /** Asserts that bytes, modes, owners and times have not changed. */
        void assertUntouched() throws IOException {
            assertThat(attributes()).isEqualTo(before);
            for (String file : FILES) {
                assertThat(directory.resolve(file)).hasContent(CONTENT);
            }
            try (Stream<Path> all = Files.walk(directory)) {
                assertThat(all.filter(Files::isRegularFile)).hasSize(FILES.size());
            }
        }
    }
}
