// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.files;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Does random operations by channels of its own, and records them. */
final class ModelThread extends Thread {
    static final int BLOCKS = 48;
    private static final int NAMED_WORDS = 200;
    /** What a file is that somebody has created and not replaced. */
    private static final long EMPTY = -1;

    private static final Set<StandardOpenOption> READ_WRITE = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);

    private final int number;
    private final List<Long> steps;
    private final View view;
    private final ByteHistory history;
    private final ModelBytes bytes;
    private final AppendHistory appends;
    private final NameHistory names;
    private final List<Opened> channels = new ArrayList<>();
    private final List<String> trace = new ArrayList<>();
    private final AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();
    private Random random = new Random(0);
    private long values;

    /** @param steps the seeds of the operations: without some of them the others are as before */
    ModelThread(
            int number, List<Long> steps, View view, ByteHistory history, AppendHistory appends, NameHistory names) {
        this.number = number;
        this.steps = steps;
        this.view = view;
        this.history = history;
        this.bytes = new ModelBytes(this, view, history);
        this.appends = appends;
        this.names = names;
    }

    /**
     * What a thread works with: {@code /bytes}, {@code /log} and {@code /named}.
     *
     * @param nfs its client
     * @param other another client
     * @param first the first of the blocks that only its client writes
     * @param last the one after the last of them
     * @param appends whether its client is the one that appends
     * @param othersReplace whether the other client replaces {@code /named}, too
     * @param hasLinks whether a file that is replaced keeps its name until then
     */
    record View(
            FileSystem nfs,
            FileSystem other,
            int first,
            int last,
            boolean appends,
            boolean othersReplace,
            boolean hasLinks) {
        Path bytes() {
            return nfs.getPath("/bytes");
        }

        Path log() {
            return nfs.getPath("/log");
        }

        Path named() {
            return nfs.getPath("/named");
        }
    }

    enum Kind {
        BYTES,
        LOG,
        NAMED
    }

    /** A channel, and what it has written and not forced. */
    final class Opened {
        final FileChannel channel;
        final Kind kind;
        long file; // the one among those that have had the name; 0 if it is not known yet
        final List<ByteHistory.Write> written = new ArrayList<>();
        final List<Long> appended = new ArrayList<>();

        Opened(FileChannel channel, Kind kind) {
            this.channel = channel;
            this.kind = kind;
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
    interface Operation {
        void run() throws IOException;
    }

    /** What this thread should not have met. */
    Optional<Throwable> broken() {
        return Optional.ofNullable(broken.get());
    }

    /** The operations, in order. */
    List<String> trace() {
        return trace;
    }

    void note(String operation, Object... details) {
        trace.add("%d: %s %s".formatted(history.now(), operation, Arrays.toString(details)));
    }

    @Override
    public void run() {
        try {
            for (long seed : steps) {
                random = new Random(seed);
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
        if (random.nextInt(15) == 0) {
            replace();
        } else if (channels.isEmpty() || (channels.size() < 3 && random.nextInt(8) == 0)) {
            open();
        } else {
            use(channels.get(random.nextInt(channels.size())));
        }
    }

    private void use(Opened opened) {
        boolean works = attempt(opened, () -> {
            switch (opened.kind) {
                case BYTES -> bytes.use(opened, random);
                case LOG -> append(opened);
                default -> useNamed(opened);
            }
        });
        if ((!works || random.nextInt(15) == 0) && (random.nextInt(3) == 0 || !opened.channel.isOpen())) {
            close(opened);
        }
    }

    private boolean attempt(Opened opened, Operation operation) {
        try {
            operation.run();
            return true;
        } catch (IOException e) {
            note("failed", e);
            opened.lost();
            if (opened.file != 0
                    && !view.othersReplace()
                    && String.valueOf(e.getMessage()).contains("Stale")) {
                throw new AssertionError("a file was not kept that its program has open", e);
            }
            return false;
        }
    }

    private void open() {
        try {
            switch (random.nextInt(9)) {
                case 0, 1 -> {
                    Set<StandardOpenOption> options = EnumSet.of(StandardOpenOption.APPEND);
                    if (random.nextInt(3) == 0) {
                        options.add(StandardOpenOption.DSYNC);
                    }
                    if (view.appends()) {
                        add(view.log(), options, Kind.LOG);
                    }
                }
                case 2 -> lookingForNamed(() -> add(view.named(), READ_WRITE, Kind.NAMED));
                case 3 -> createNamed();
                case 4 -> truncateAndOpen();
                default -> add(view.bytes(), READ_WRITE, Kind.BYTES);
            }
        } catch (IOException e) {
            note("not opened", e); // the next step tries again
        }
    }

    private void add(Path file, Set<StandardOpenOption> options, Kind kind) throws IOException {
        note("open", file, options);
        channels.add(new Opened(FileChannel.open(file, options), kind));
    }

    /** Does something for which {@code /named} must exist. */
    private void lookingForNamed(Operation operation) throws IOException {
        long start = history.now();
        try {
            operation.run();
        } catch (NoSuchFileException e) {
            names.missing(view.nfs(), start, getName());
            throw e;
        }
    }

    private void createNamed() throws IOException {
        long start = history.now();
        Set<StandardOpenOption> options = EnumSet.of(StandardOpenOption.CREATE);
        options.addAll(READ_WRITE);
        add(view.named(), options, Kind.NAMED);
        names.given(start);
    }

    private void truncateAndOpen() throws IOException {
        if (view.first() == 0 && view.last() == BLOCKS) {
            bytes.cut(
                    0,
                    () -> add(
                            view.bytes(),
                            EnumSet.of(
                                    StandardOpenOption.READ,
                                    StandardOpenOption.WRITE,
                                    StandardOpenOption.TRUNCATE_EXISTING),
                            Kind.BYTES));
        }
    }

    private void close(Opened opened) {
        note("close", opened.kind);
        channels.remove(opened);
        if (attempt(opened, opened.channel::close)) {
            opened.stable();
        }
    }

    /** Gives a new file the name of another, or removes that. */
    private void replace() {
        FileSystem by = view.othersReplace() && random.nextBoolean() ? view.other() : view.nfs();
        long file = value();
        long start = history.now();
        boolean given = false;
        boolean removes = random.nextInt(4) == 0;
        note(removes ? "remove" : "replace", by == view.nfs(), file);
        try {
            if (removes) {
                Files.delete(by.getPath("/named"));
            } else {
                Path fresh = by.getPath("/new" + file);
                ByteBuffer words = ByteBuffer.allocate(NAMED_WORDS * Long.BYTES);
                while (words.hasRemaining()) {
                    words.putLong(file);
                }
                Files.write(fresh, words.array());
                Files.move(fresh, by.getPath("/named"), StandardCopyOption.ATOMIC_MOVE);
                given = true;
            }
        } catch (IOException e) {
            note("not replaced", e);
        }
        if (removes || !(given || view.hasLinks())) {
            names.mayBeLost(start);
        } else if (given) {
            names.given(start);
            if (!view.hasLinks()) {
                names.mayBeFreeForOthers(by, start);
            }
        }
    }

    /** A file of this name has only words of its own. */
    private void useNamed(Opened opened) throws IOException {
        long at = (long) random.nextInt(NAMED_WORDS) * Long.BYTES;
        ByteBuffer word = ByteBuffer.allocate(Long.BYTES);
        switch (random.nextInt(8)) {
            case 0 ->
                lookingForNamed(() -> {
                    note("read named");
                    ByteBuffer words = ByteBuffer.wrap(Files.readAllBytes(view.named()));
                    while (words.hasRemaining()) {
                        check(words.getLong(0), words.getLong());
                    }
                });
            case 1 -> opened.channel.force(false);
            case 2, 3, 4 -> {
                if (opened.file > 0) {
                    note("write to file", opened.file, at);
                    opened.channel.write(word.putLong(opened.file).flip(), at);
                }
            }
            default -> {
                note("read of file", opened.file, at);
                long found = opened.channel.read(word, at) < 0 ? EMPTY : word.getLong(0);
                opened.file = opened.file == 0 ? found : opened.file;
                check(opened.file, found);
            }
        }
    }

    private static void check(long file, long word) {
        if (file != word || file == 0) {
            throw new AssertionError("file " + file + " has a word of file " + word);
        }
    }

    long value() {
        return ((long) number + 1) << 32 | ++values;
    }

    private void append(Opened opened) throws IOException {
        switch (random.nextInt(20)) {
            case 0, 1 -> force(opened, random.nextBoolean());
            case 2 -> appends.moveEnd(() -> transferToTheEnd());
            case 3 -> appends.moveEnd(() -> cutOff(opened));
            case 4 -> appends.append(() -> appendByTransfer(opened));
            default -> appends.append(() -> appendRecord(opened));
        }
    }

    void force(Opened opened, boolean metaData) throws IOException {
        note("force", opened.kind);
        opened.channel.force(metaData);
        opened.stable();
    }

    private void appendRecord(Opened opened) throws IOException {
        long value = value();
        note("append", value);
        appends.lost(value); // until it has returned
        opened.appended.add(value);
        ByteBuffer record = AppendHistory.record(value);
        if (random.nextInt(3) == 0) {
            opened.channel.write(record, random.nextInt(1000)); // the position has no effect
        } else {
            opened.channel.write(record);
        }
        appends.appended(value);
    }

    /** The parts of a transfer are appends, of which some have happened if it fails. */
    private void appendByTransfer(Opened opened) throws IOException {
        ByteBuffer records = records();
        int length = records.limit();
        note("append by transfer", length);
        opened.appended.addAll(AppendHistory.values(records));
        byte[] bytes = new byte[length];
        records.duplicate().get(bytes);
        ReadableByteChannel source =
                random.nextBoolean() ? Channels.newChannel(new ByteArrayInputStream(bytes)) : source(records);
        long moved = opened.channel.transferFrom(source, 0, length);
        AppendHistory.values(records.limit((int) moved)).forEach(appends::appended);
    }

    private void transferToTheEnd() throws IOException {
        ByteBuffer records = records();
        int length = records.limit();
        try (FileChannel channel = FileChannel.open(view.log(), StandardOpenOption.WRITE)) {
            long end = channel.size();
            note("transfer to the end", end, length);
            if (channel.transferFrom(source(records), end, length) == length) {
                AppendHistory.values(records).forEach(appends::appended);
            }
        }
    }

    private ByteBuffer records() {
        ByteBuffer records = ByteBuffer.allocate((1 + random.nextInt(100)) * AppendHistory.RECORD);
        while (records.hasRemaining()) {
            long value = value();
            appends.lost(value); // until it has been transferred
            records.put(AppendHistory.record(value));
        }
        return records.flip();
    }

    private ModelBytes.Source source(ByteBuffer contents) {
        long failAt = random.nextInt(3) == 0 ? random.nextInt(contents.limit() + 1) : Long.MAX_VALUE;
        return new ModelBytes.Source(contents.duplicate(), failAt);
    }

    private void cutOff(Opened opened) throws IOException {
        byte[] all = Files.readAllBytes(view.log());
        int from = random.nextInt(3) == 0 ? 0 : random.nextInt(all.length / AppendHistory.RECORD + 1);
        int at = from * AppendHistory.RECORD;
        note("cut off", at);
        List<Long> values =
                AppendHistory.values(ByteBuffer.wrap(all, at, all.length - at).slice());
        values.removeIf(value -> value == 0);
        values.forEach(appends::lost);
        if (from == 0) {
            FileChannel.open(view.log(), StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)
                    .close();
        } else {
            opened.channel.truncate(at);
        }
        appends.cutOff(values);
    }
}
