// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.files;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Does random operations by channels of its own, and records them. */
final class ModelThread extends Thread {
    static final int BLOCKS = 48;
    private static final int BLOCK = ByteHistory.BLOCK;

    private final int number;
    private final int operations;
    private final Random random;
    private final Path bytes;
    private final Path elsewhere;
    private final Path log;
    private final ByteHistory history;
    private final AppendHistory appends;
    private final List<Opened> channels = new ArrayList<>();
    private final AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();
    private long values;

    /** @param elsewhere the same file as {@code bytes}, by another client */
    ModelThread(
            int number,
            int operations,
            long seed,
            Path bytes,
            Path elsewhere,
            Path log,
            ByteHistory history,
            AppendHistory appends) {
        this.number = number;
        this.operations = operations;
        this.random = new Random(seed);
        this.bytes = bytes;
        this.elsewhere = elsewhere;
        this.log = log;
        this.history = history;
        this.appends = appends;
    }

    /** A channel, and what it has written and not forced. */
    private final class Opened {
        final FileChannel channel;
        final boolean appending;
        final List<ByteHistory.Write> written = new ArrayList<>();
        final List<Long> appended = new ArrayList<>();

        Opened(FileChannel channel, boolean appending) {
            this.channel = channel;
            this.appending = appending;
        }

        void lost() {
            written.forEach(ByteHistory.Write::failed);
            written.clear();
            appended.forEach(appends::lost);
            appended.clear();
        }

        void stable() {
            written.forEach(ByteHistory.Write::stable);
            written.clear();
            appended.clear();
        }
    }

    /** An operation on a channel. */
    @FunctionalInterface
    private interface Operation {
        void run() throws IOException;
    }

    /** Throws what this thread should not have met. */
    void check() {
        Throwable unexpected = broken.get();
        if (unexpected != null) {
            throw new AssertionError("thread " + number, unexpected);
        }
    }

    @Override
    public void run() {
        try {
            for (int i = 0; i < operations; i++) {
                step();
                Thread.interrupted();
            }
            while (!channels.isEmpty()) {
                close(channels.get(0));
                Thread.interrupted();
            }
        } catch (RuntimeException | Error e) {
            broken.set(e);
        }
    }

    private void step() {
        if (channels.isEmpty() || (channels.size() < 3 && random.nextInt(8) == 0)) {
            open();
            return;
        }
        Opened opened = channels.get(random.nextInt(channels.size()));
        boolean works = attempt(opened, () -> {
            if (opened.appending) {
                append(opened);
            } else {
                use(opened);
            }
        });
        if (!works || random.nextInt(15) == 0) {
            if (random.nextInt(3) == 0 || !opened.channel.isOpen()) {
                close(opened);
            }
        }
    }

    private boolean attempt(Opened opened, Operation operation) {
        try {
            operation.run();
            return true;
        } catch (IOException e) {
            opened.lost();
            return false;
        }
    }

    private void open() {
        try {
            if (random.nextInt(4) == 0) {
                Set<StandardOpenOption> options = EnumSet.of(StandardOpenOption.APPEND);
                if (random.nextInt(3) == 0) {
                    options.add(StandardOpenOption.DSYNC);
                }
                channels.add(new Opened(FileChannel.open(log, options), true));
            } else {
                channels.add(
                        new Opened(FileChannel.open(bytes, StandardOpenOption.READ, StandardOpenOption.WRITE), false));
            }
        } catch (IOException e) {
            // The next step tries again.
        }
    }

    private void close(Opened opened) {
        channels.remove(opened);
        if (attempt(opened, opened.channel::close)) {
            opened.stable();
        }
    }

    private long value() {
        return ((long) number + 1) << 32 | ++values;
    }

    private void append(Opened opened) throws IOException {
        switch (random.nextInt(20)) {
            case 0, 1 -> {
                opened.channel.force(false);
                opened.stable();
            }
            case 2 -> appends.moveEnd(() -> transferToTheEnd(opened));
            case 3 -> appends.moveEnd(() -> cutOff(opened));
            default -> appends.append(() -> appendRecord(opened));
        }
    }

    private void appendRecord(Opened opened) throws IOException {
        long value = value();
        appends.lost(value); // until it has returned
        opened.appended.add(value);
        opened.channel.write(AppendHistory.record(value));
        appends.appended(value);
    }

    private void transferToTheEnd(Opened opened) throws IOException {
        long end = opened.channel.size();
        int length = (1 + random.nextInt(100)) * AppendHistory.RECORD;
        ByteBuffer records = ByteBuffer.allocate(length);
        while (records.hasRemaining()) {
            long value = value();
            appends.lost(value);
            records.put(AppendHistory.record(value));
        }
        long failAt = random.nextInt(3) == 0 ? random.nextInt(length + 1) : Long.MAX_VALUE;
        long moved = opened.channel.transferFrom(new Source(records.flip(), failAt), end, length);
        if (moved == length) {
            AppendHistory.values(records).forEach(appends::appended);
        }
    }

    private void cutOff(Opened opened) throws IOException {
        byte[] all = Files.readAllBytes(log);
        int from = random.nextInt(all.length / AppendHistory.RECORD + 1) * AppendHistory.RECORD;
        List<Long> values = AppendHistory.values(
                ByteBuffer.wrap(all, from, all.length - from).slice());
        values.removeIf(value -> value == 0);
        values.forEach(appends::lost);
        opened.channel.truncate(from);
        appends.cutOff(values);
    }

    private void use(Opened opened) throws IOException {
        int from = random.nextInt(BLOCKS);
        int to = from + 1 + random.nextInt(random.nextInt(4) == 0 ? BLOCKS - from : Math.min(3, BLOCKS - from));
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4 -> write(opened, from, to, false);
            case 5 -> write(opened, from, to, true);
            case 6 -> truncate(opened, from);
            case 7, 8 -> {
                opened.channel.force(random.nextBoolean());
                opened.stable();
            }
            case 9 -> transfer(opened, from, to);
            case 10 -> copy(opened, from, to);
            case 11, 12 -> read(opened, from, to, "positional", into -> opened.channel.read(into, (long) from * BLOCK));
            case 13 -> {
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                long start = history.now();
                opened.channel.transferTo((long) from * BLOCK, (long) (to - from) * BLOCK, Channels.newChannel(all));
                history.read(start, ByteBuffer.wrap(all.toByteArray()), from, to, false, "transferTo");
            }
            case 14 -> {
                long start = history.now();
                history.read(start, ByteBuffer.wrap(Files.readAllBytes(bytes)), 0, BLOCKS, false, "readAllBytes");
            }
            case 15 -> {
                long start = history.now();
                byte[] seen = Files.readAllBytes(elsewhere);
                history.read(start, ByteBuffer.wrap(seen), 0, BLOCKS, true, "readAllBytes of another client");
            }
            default -> sequential(opened, from);
        }
    }

    private void sequential(Opened opened, int from) throws IOException {
        int at = from;
        if (random.nextInt(3) != 0 && opened.channel.position() % BLOCK == 0) {
            at = (int) (opened.channel.position() / BLOCK);
        } else {
            opened.channel.position((long) from * BLOCK);
        }
        if (at < BLOCKS) {
            read(opened, at, Math.min(BLOCKS, at + 2), "sequential", opened.channel::read);
        }
    }

    /** One read. */
    @FunctionalInterface
    private interface Reading {
        int into(ByteBuffer buffer) throws IOException;
    }

    private void read(Opened opened, int from, int to, String how, Reading reading) throws IOException {
        int length = (to - from) * BLOCK;
        ByteBuffer into = random.nextInt(4) == 0 ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
        long start = history.now();
        int read = reading.into(into);
        into.flip();
        // A short read may end in the middle of the file: what it has not read it says nothing about.
        int last = read < length && read > 0 ? from + read / BLOCK : read < 0 ? to : from + Math.max(0, read) / BLOCK;
        if (read >= 0 || opened.channel.isOpen()) {
            history.read(start, into, from, last, false, how);
        }
    }

    private static ByteBuffer blocks(int count, long value, boolean direct) {
        ByteBuffer blocks = direct ? ByteBuffer.allocateDirect(count * BLOCK) : ByteBuffer.allocate(count * BLOCK);
        while (blocks.hasRemaining()) {
            blocks.putLong(value);
        }
        return blocks.flip();
    }

    private void write(Opened opened, int from, int to, boolean stable) throws IOException {
        long value = value();
        if (!stable) {
            ByteBuffer blocks = blocks(to - from, value, random.nextInt(4) == 0);
            ByteHistory.Write write = history.begin(value, from, to, "write");
            opened.written.add(write);
            opened.channel.write(blocks, (long) from * BLOCK);
            write.done();
            return;
        }
        ByteHistory.Write write = history.begin(value, from, to, "stable write");
        try (FileChannel channel = FileChannel.open(bytes, StandardOpenOption.WRITE, StandardOpenOption.DSYNC)) {
            channel.write(blocks(to - from, value, true), (long) from * BLOCK);
            write.done();
            write.stable();
        } finally {
            write.failed(); // unless it is done
        }
    }

    private void truncate(Opened opened, int from) throws IOException {
        ByteHistory.Write cut = history.begin(0, from, BLOCKS, "truncate");
        try {
            opened.channel.truncate((long) from * BLOCK);
            cut.done();
            cut.stable();
        } finally {
            cut.failed();
        }
    }

    private void transfer(Opened opened, int from, int to) throws IOException {
        long value = value();
        int length = (to - from) * BLOCK;
        long failAt = random.nextInt(3) == 0 ? random.nextInt(length + 1) : Long.MAX_VALUE;
        if ((long) from * BLOCK > opened.channel.size()) {
            return; // nothing is transferred behind the end
        }
        ByteHistory.Write write = history.begin(value, from, to, "transferFrom");
        try {
            long moved = opened.channel.transferFrom(
                    new Source(blocks(to - from, value, false), failAt), (long) from * BLOCK, length);
            if (moved == length) {
                write.done();
                write.stable();
            }
        } finally {
            write.failed();
        }
    }

    private void copy(Opened opened, int from, int to) throws IOException {
        long value = value();
        byte[] blocks = blocks(to - from, value, false).array();
        ByteHistory.Write write = history.begin(value, from, to, "transferFrom a stream");
        opened.written.add(write);
        long moved = opened.channel.transferFrom(
                Channels.newChannel(new ByteArrayInputStream(blocks)), (long) from * BLOCK, blocks.length);
        if (moved == blocks.length) {
            write.done();
        } else {
            write.failed();
        }
    }

    /** A file to copy from, which may fail on the way. */
    private static final class Source implements SeekableByteChannel {
        private final ByteBuffer contents;
        private final long failAt;

        Source(ByteBuffer contents, long failAt) {
            this.contents = contents;
            this.failAt = failAt;
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            if (contents.position() >= failAt) {
                throw new IOException("the source cannot be read");
            }
            if (!contents.hasRemaining()) {
                return -1;
            }
            int length = Math.min(into.remaining(), Math.min(100, contents.remaining()));
            into.put(contents.slice().limit(length));
            contents.position(contents.position() + length);
            return length;
        }

        @Override
        public int write(ByteBuffer from) {
            throw new NonWritableChannelException();
        }

        @Override
        public long position() {
            return contents.position();
        }

        @Override
        public SeekableByteChannel position(long to) throws ClosedChannelException {
            contents.position((int) to);
            return this;
        }

        @Override
        public long size() {
            return contents.limit();
        }

        @Override
        public SeekableByteChannel truncate(long size) {
            throw new NonWritableChannelException();
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
