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
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.emplace.samples.nfs.files.ModelThread.Opened;
import org.emplace.samples.nfs.files.ModelThread.Operation;
import org.emplace.samples.nfs.files.ModelThread.View;

/** A thread's operations on a file of blocks. Not safe for use by several threads. */
final class ModelBytes {
    private static final int BLOCK = ByteHistory.BLOCK;

    private final ModelThread thread;
    private final View view;
    private final ByteHistory history;
    private Random random = new Random(0);

    ModelBytes(ModelThread thread, View view, ByteHistory history) {
        this.thread = thread;
        this.view = view;
        this.history = history;
    }

    /** Reads, writes or truncates. */
    void use(Opened opened, Random seeded) throws IOException {
        this.random = seeded;
        int size = view.last() - view.first();
        int from = view.first() + random.nextInt(size);
        int most = view.last() - from;
        int to = from + 1 + random.nextInt(random.nextInt(4) == 0 ? most : Math.min(3, most));
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4 -> write(opened, from, to, false);
            case 5 -> write(opened, from, to, true);
            case 6 -> {
                if (view.last() == ModelThread.BLOCKS) {
                    cut(from, () -> opened.channel.truncate((long) from * BLOCK));
                }
            }
            case 7, 8 -> thread.force(opened, random.nextBoolean());
            case 9 -> transfer(opened, from, to);
            case 10 -> copy(opened, from, to);
            case 11, 12 -> read(opened, from, to, "positional", into -> opened.channel.read(into, (long) from * BLOCK));
            case 13 -> {
                thread.note("transferTo", from, to);
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                long start = history.now();
                opened.channel.transferTo((long) from * BLOCK, (long) (to - from) * BLOCK, Channels.newChannel(all));
                history.read(start, ByteBuffer.wrap(all.toByteArray()), from, to, false, "transferTo");
            }
            case 14 -> readAll(view.nfs(), view.first(), view.last());
            case 15 -> readAll(view.other(), 0, 0);
            default -> sequential(opened, from);
        }
    }

    /** Reads everything. Of other clients' blocks it may see what is on the disk, instead of what has been written later. */
    private void readAll(FileSystem client, int first, int last) throws IOException {
        thread.note("read all");
        long start = history.now();
        ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(client.getPath("/bytes")));
        readPart(start, all, first, last, false);
        readPart(start, all, 0, first, true);
        readPart(start, all, last, ModelThread.BLOCKS, true);
    }

    private void readPart(long start, ByteBuffer all, int first, int last, boolean ofDisk) {
        ByteBuffer part = all.duplicate().position(Math.min(all.limit(), first * BLOCK));
        history.read(start, part.slice(), first, last, ofDisk, ofDisk ? "read of another client's" : "readAllBytes");
    }

    private void sequential(Opened opened, int from) throws IOException {
        int at = from;
        long position = opened.channel.position();
        if (random.nextInt(3) != 0 && position % BLOCK == 0 && position / BLOCK >= view.first()) {
            at = (int) (position / BLOCK);
        } else {
            opened.channel.position((long) from * BLOCK);
        }
        if (at < view.last()) {
            read(opened, at, Math.min(view.last(), at + 2), "sequential", opened.channel::read);
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
        thread.note(how, from, to);
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
        long value = thread.value();
        thread.note("write", value, from, to, stable);
        if (!stable) {
            ByteBuffer blocks = blocks(to - from, value, random.nextInt(4) == 0);
            ByteHistory.Write write = history.begin(value, from, to, "write");
            opened.written.add(write);
            opened.channel.write(blocks, (long) from * BLOCK);
            write.done();
            return;
        }
        ByteHistory.Write write = history.begin(value, from, to, "stable write");
        try (FileChannel channel = FileChannel.open(view.bytes(), StandardOpenOption.WRITE, StandardOpenOption.DSYNC)) {
            channel.write(blocks(to - from, value, true), (long) from * BLOCK);
            write.done();
            write.stable();
        } finally {
            write.failed(); // unless it is done
        }
    }

    /** Truncates. */
    void cut(int from, Operation truncation) throws IOException {
        thread.note("truncate", from);
        ByteHistory.Write cut = history.begin(0, from, ModelThread.BLOCKS, "truncate");
        try {
            truncation.run();
            cut.done();
            cut.stable();
        } finally {
            cut.failed();
        }
    }

    private void transfer(Opened opened, int from, int to) throws IOException {
        long value = thread.value();
        int length = (to - from) * BLOCK;
        long failAt = random.nextInt(3) == 0 ? random.nextInt(length + 1) : Long.MAX_VALUE;
        if ((long) from * BLOCK > opened.channel.size()) {
            return; // nothing is transferred behind the end
        }
        thread.note("transferFrom", value, from, to, failAt);
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
        long value = thread.value();
        byte[] blocks = blocks(to - from, value, false).array();
        thread.note("transferFrom a stream", value, from, to);
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
    static final class Source implements SeekableByteChannel {
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
