// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.emplace.samples.nfs.server.store.TestedStore.assertFailure;
import static org.emplace.samples.nfs.server.store.TestedStore.size;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.emplace.samples.nfs.server.store.Store.ReadableFile;
import org.emplace.samples.nfs.server.store.Store.Stability;
import org.emplace.samples.nfs.server.store.Store.WeakCacheConsistency;
import org.emplace.samples.nfs.server.store.Store.WriteResult;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.StoreFixture.Feature;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.Test;

/** READ, WRITE, COMMIT, and sizes set by SETATTR. */
public interface ContentsContract {
    TestedStore tested();

    @Test
    default void writtenDataIsRead() throws IOException {
        FileId file = tested().create(tested().root(), "file");
        tested().write(file, 0, "hello world");
        assertThat(tested().attributes(file).size()).isEqualTo(11);
        if (tested().can(Feature.OVERWRITING)) {
            assertThat(tested().write(file, 6, "there").count()).isEqualTo(5);
            assertThat(tested().read(file)).isEqualTo("hello there");
        } else {
            assertFailure(() -> tested().write(file, 6, "there"), Failure.NOTSUPP);
            assertFailure(() -> tested().write(file, 6, "wonderland"), Failure.NOTSUPP);
            assertThat(tested().read(file)).isEqualTo("hello world");
        }
        assertThat(tested().attributes(file).size()).isEqualTo(11);
    }

    @Test
    default void aCopyHasTheBytesOfTheOtherFile() throws IOException {
        FileId from = tested().create(tested().root(), "from", "hello world");
        FileId to = tested().create(tested().root(), "to", "bytes:");
        if (!tested().can(Feature.HOLES_AND_COPIES)) {
            assertFailure(() -> tested().store().copy(tested().caller(), from, 0, to, 0, 1), Failure.NOTSUPP);
            assertThat(tested().read(to)).isEqualTo("bytes:");
            return;
        }
        WriteResult copied = tested().store().copy(tested().caller(), from, 6, to, 5, 5);
        assertThat(copied.count()).isEqualTo(5);
        assertThat(copied.verifier())
                .isEqualTo(tested().store().commit(tested().caller(), to).verifier());
        assertThat(tested().read(to)).isEqualTo("bytesworld");
        assertThat(tested().read(from)).isEqualTo("hello world");
        FileId directory = tested().makeDirectory(tested().root(), "directory");
        assertFailure(() -> tested().store().copy(tested().caller(), directory, 0, to, 0, 1), Failure.ISDIR);
        assertFailure(() -> tested().store().copy(tested().caller(), from, 0, directory, 0, 1), Failure.ISDIR);
    }

    @Test
    default void spaceIsAllocatedAndFreed() throws IOException {
        byte[] bytes = new byte[3 << 16];
        Arrays.fill(bytes, (byte) 7);
        FileId file = tested().create(tested().root(), "file");
        tested().write(file, 0, bytes);
        if (!tested().can(Feature.HOLES_AND_COPIES)) {
            assertFailure(() -> tested().store().allocate(tested().caller(), file, 0, 1), Failure.NOTSUPP);
            assertFailure(() -> tested().store().deallocate(tested().caller(), file, 0, 1), Failure.NOTSUPP);
            try (ReadableFile reading = tested().store().read(tested().caller(), file)) {
                assertFailure(() -> reading.seek(0, true), Failure.NOTSUPP);
            }
            assertThat(tested().read(file, 0, 1)).containsExactly(7);
            return;
        }
        WeakCacheConsistency freed = tested().store().deallocate(tested().caller(), file, 1 << 16, 1 << 16);
        assertThat(freed.after().orElseThrow().size()).isEqualTo(bytes.length);
        Arrays.fill(bytes, 1 << 16, 2 << 16, (byte) 0);
        assertThat(tested().read(file, 0, bytes.length)).isEqualTo(bytes);
        tested().store().deallocate(tested().caller(), file, 3 << 16, 1 << 16);
        assertThat(tested().attributes(file).size()).isEqualTo(bytes.length);
        try (ReadableFile reading = tested().store().read(tested().caller(), file)) {
            assertThat(reading.seek(0, true)).hasValue(1 << 16);
            assertThat(reading.seek(1 << 16, false)).hasValue(2 << 16);
        }
        tested().store().allocate(tested().caller(), file, 3 << 16, 1 << 16);
        assertThat(tested().read(file, 0, 5 << 16)).isEqualTo(Arrays.copyOf(bytes, 4 << 16));
    }

    @Test
    default void repeatedWritesHaveOneEffect() throws IOException {
        FileId file = tested().create(tested().root(), "file", "hello");
        assertThat(tested().write(file, 1, "ell").count()).isEqualTo(3);
        assertThat(tested().write(file, 3, "lo world").count()).isEqualTo(8);
        assertThat(tested().write(file, 0, "hello world").count()).isEqualTo(11);
        assertThat(tested().read(file)).isEqualTo("hello world");
    }

    @Test
    default void readsEndWhereTheFileEnds() throws IOException {
        FileId file = tested().create(tested().root(), "file", "hello");
        assertThat(tested().read(file, 0, 5)).asString().isEqualTo("hello");
        assertThat(tested().read(file, 3, 100)).asString().isEqualTo("lo");
        assertThat(tested().read(file, 1, 2)).asString().isEqualTo("el");
        assertThat(tested().read(file, 5, 10)).isEmpty();
        assertThat(tested().read(file, 6, 10)).isEmpty();
        assertThat(tested().read(file, 1L << 40, 10)).isEmpty();
        assertThat(tested().read(file, Long.MAX_VALUE, 10)).isEmpty();
        assertThat(tested().read(file, 0, 0)).isEmpty();
        assertThat(tested().read(tested().create(tested().root(), "empty"), 0, 10))
                .isEmpty();
    }

    @Test
    default void readsFillTheRoomOfABufferAndNothingElse() throws IOException {
        FileId file = tested().create(tested().root(), "file", "0123456789");
        for (ByteBuffer buffer : new ByteBuffer[] {ByteBuffer.allocate(8), ByteBuffer.allocateDirect(8)}) {
            buffer.position(2).limit(5);
            try (ReadableFile reading = tested().store().read(tested().caller(), file)) {
                assertThat(reading.read(buffer, 4)).isEqualTo(3);
                assertThat(reading.attributes().size()).isEqualTo(10);
            }
            assertThat(buffer.position()).isEqualTo(5);
            byte[] all = new byte[8];
            buffer.clear().get(all);
            assertThat(all).containsExactly(0, 0, '4', '5', '6', 0, 0, 0);
        }
    }

    @Test
    default void aReadingsChannelHoldsTheSameBytes() throws IOException {
        FileId file = tested().create(tested().root(), "file", "0123456789");
        try (ReadableFile reading = tested().store().read(tested().caller(), file)) {
            if (reading.channel().isPresent()) {
                FileChannel channel = reading.channel().get();
                ByteBuffer bytes = ByteBuffer.allocate(4);
                assertThat(channel.read(bytes, 3)).isEqualTo(4);
                assertThat(bytes.array()).asString().isEqualTo("3456");
                assertThat(channel.size()).isEqualTo(10);
            }
        }
    }

    @Test
    default void blocksAreWrittenInAnyOrder() throws IOException {
        Random random = new Random(20);
        byte[] content = new byte[1_000_003];
        random.nextBytes(content);
        List<Integer> blocks = new ArrayList<>();
        int block = 4099;
        for (int start = 0; start < content.length; start += block) {
            blocks.add(start);
        }
        Collections.shuffle(blocks, random);
        FileId file = tested().create(tested().root(), "file");
        for (int start : blocks) {
            tested().write(file, start, Arrays.copyOfRange(content, start, Math.min(start + block, content.length)));
        }
        assertThat(tested().read(file, 0, content.length + 1)).isEqualTo(content);
    }

    @Test
    default void randomOperationsGiveTheContentOfAnArray() throws IOException {
        long seed = 4711;
        Random random = new Random(seed);
        byte[] expected = new byte[0];
        FileId file = tested().create(tested().root(), "file");
        int steps = tested().can(Feature.OVERWRITING) ? 400 : 40;
        for (int i = 0; i < steps; i++) {
            int offset = random.nextInt(60_000);
            if (random.nextInt(4) == 0) {
                tested().set(file, size(offset));
                expected = Arrays.copyOf(expected, offset);
            } else {
                byte[] bytes = new byte[random.nextInt(5000) + 1];
                random.nextBytes(bytes);
                if (isWritten(file, offset, bytes)) {
                    expected = Arrays.copyOf(expected, Math.max(expected.length, offset + bytes.length));
                    System.arraycopy(bytes, 0, expected, offset, bytes.length);
                }
            }
            if (i % 20 == 0) {
                assertThat(tested().read(file, 0, expected.length + 1))
                        .as("seed %d, step %d", seed, i)
                        .isEqualTo(expected);
            }
        }
        assertThat(tested().read(file, 0, expected.length + 1)).isEqualTo(expected);
    }

    private boolean isWritten(FileId file, long offset, byte[] bytes) throws IOException {
        try {
            tested().write(file, offset, bytes);
            return true;
        } catch (StoreException e) {
            assertThat(e.failure()).isEqualTo(Failure.NOTSUPP);
            assertThat(tested().can(Feature.OVERWRITING)).isFalse();
            return false;
        }
    }

    @Test
    default void gapsReadAsZeros() throws IOException {
        FileId file = tested().create(tested().root(), "file", "hello");
        tested().set(file, size(3));
        tested().set(file, size(6));
        assertThat(tested().read(file)).isEqualTo("hel\0\0\0");
        if (!tested().can(Feature.OVERWRITING)) {
            tested().set(file, size(0));
        }
        tested().write(file, 0, "0123456789");
        tested().set(file, size(2));
        tested().write(file, 8, "x");
        assertThat(tested().read(file)).isEqualTo("01\0\0\0\0\0\0x");
        tested().write(file, 20_000, "end");
        assertThat(tested().read(file, 9, 20_000)).hasSize(19_994).startsWith(new byte[19_991]);
    }

    @Test
    default void writingNothingChangesNothing() throws IOException {
        FileId file = tested().create(tested().root(), "file", "hello");
        assertThat(tested().write(file, 2, "").count()).isZero();
        assertThat(tested().write(file, 100, "").count()).isZero();
        assertThat(tested().read(file)).isEqualTo("hello");
    }

    @Test
    default void filesMayBeLargerThanAnInt() throws IOException {
        FileId file = tested().create(tested().root(), "file");
        long[] offsets = {(1L << 31) - 3, (1L << 32) - 3, 5L << 30};
        for (long offset : offsets) {
            if (!tested().can(Feature.SPARSE_FILES)) {
                if (offset > tested().limits().largestFile()) {
                    assertFailure(() -> tested().write(file, offset, "across"), Failure.FBIG);
                    assertFailure(() -> tested().set(file, size(offset)), Failure.FBIG);
                }
                continue;
            }
            tested().write(file, offset, "across");
            assertThat(tested().attributes(file).size()).isEqualTo(offset + 6);
            assertThat(tested().read(file, offset - 1, 10)).asString().isEqualTo("\0across");
        }
        if (tested().can(Feature.SPARSE_FILES)) {
            assertThat(tested().read(file, offsets[0], 6)).asString().isEqualTo("across");
            assertThat(tested().read(file, 1L << 20, 3)).containsOnly(0);
            tested().set(file, size(6L << 30));
            assertThat(tested().attributes(file).size()).isEqualTo(6L << 30);
            tested().set(file, size(offsets[0] + 2));
            assertThat(tested().read(file, offsets[0], 6)).asString().isEqualTo("ac");
        }
    }

    @Test
    default void dataBeyondTheLargestFileIsRejected() throws IOException {
        FileId file = tested().create(tested().root(), "file", "hello");
        long largest = tested().limits().largestFile();
        assertThat(largest).isPositive();
        if (largest < Long.MAX_VALUE - 10) {
            assertFailure(() -> tested().write(file, largest, "x"), Failure.FBIG);
            assertFailure(() -> tested().set(file, size(largest + 1)), Failure.FBIG);
        }
        assertFailure(() -> tested().set(file, size(-1)), Failure.FBIG, Failure.INVAL);
        assertThat(tested().read(file)).isEqualTo("hello");
    }

    @Test
    default void onlyRegularFilesHaveContent() throws IOException {
        FileId directory = tested().makeDirectory(tested().root(), "directory");
        Store store = tested().store();
        Caller caller = tested().caller();
        assertFailure(() -> store.read(caller, directory).close(), Failure.ISDIR, Failure.INVAL);
        assertFailure(() -> tested().write(directory, 0, "x"), Failure.ISDIR, Failure.INVAL);
        assertFailure(() -> store.commit(caller, directory), Failure.ISDIR, Failure.INVAL);
        assertFailure(() -> tested().set(directory, size(0)), Failure.ISDIR, Failure.INVAL);
    }

    @Test
    default void theVerifierStaysUntilTheStoreRestarts() throws IOException {
        FileId file = tested().create(tested().root(), "file");
        Payload data = Payload.of(ByteBuffer.allocate(10));
        long written = writeStably(file, data, Stability.UNSTABLE);
        assertThat(writeStably(file, data, Stability.DATA_SYNC)).isEqualTo(written);
        assertThat(writeStably(file, data, Stability.FILE_SYNC)).isEqualTo(written);
        assertThat(tested().store().commit(tested().caller(), file).verifier()).isEqualTo(written);
        tested().restart();
        FileId again = tested().lookup("file");
        assertThat(tested().store().commit(tested().caller(), again).verifier()).isNotEqualTo(written);
    }

    private long writeStably(FileId file, Payload data, Stability wanted) throws IOException {
        WriteResult written = tested().store().write(tested().caller(), file, 0, data, wanted);
        assertThat(written.stability()).isGreaterThanOrEqualTo(wanted);
        assertThat(written.count()).isEqualTo(10);
        return written.verifier();
    }

    @Test
    default void writesReturnTheFileBeforeAndAfter() throws IOException {
        FileId file = tested().create(tested().root(), "file", "hello");
        FileAttributes before = tested().attributes(file);
        WeakCacheConsistency change = tested().write(file, 3, "lox").change();
        assertThat(change.before()).map(FileAttributes::size).contains(5L);
        assertThat(change.before()).map(FileAttributes::changed).contains(before.changed());
        assertThat(change.after()).contains(tested().attributes(file));
        WeakCacheConsistency committed =
                tested().store().commit(tested().caller(), file).change();
        assertThat(committed.before()).map(FileAttributes::size).contains(6L);
        assertThat(committed.after()).contains(tested().attributes(file));
    }

    @Test
    default void moreFilesAreUsedThanMayBeOpen() throws IOException {
        int count = Math.min(600, tested().many() / 20);
        List<FileId> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            files.add(tested().create(tested().root(), "file" + i, "content " + i));
        }
        for (int i = 0; i < count; i++) {
            assertThat(tested().read(files.get(i))).isEqualTo("content " + i);
        }
        for (int i = 0; i < count; i++) {
            String more = "content " + i + ", and more";
            tested().write(files.get(i), 0, more);
            assertThat(tested().read(files.get(i))).isEqualTo(more);
        }
    }

    @Test
    default void dataThatCannotBeFetchedIsNotWritten() throws IOException {
        FileId file = tested().create(tested().root(), "file", "hello");
        Payload lost = new Payload() {
            @Override
            public long length() {
                return 3;
            }

            @Override
            public ByteBuffer buffer() throws IOException {
                throw new IOException("the client is gone");
            }

            @Override
            public CompletionStage<Void> fetchInto(ByteBuffer sink) {
                return CompletableFuture.failedFuture(new IOException("the client is gone"));
            }
        };
        assertThatThrownBy(() -> tested().store().write(tested().caller(), file, 1, lost, Stability.UNSTABLE))
                .isInstanceOf(IOException.class);
        assertThat(tested().read(file)).isEqualTo("hello");
    }

    @Test
    default void writtenDataSurvivesARestart() throws IOException {
        FileId file = tested().create(tested().root(), "file");
        tested().store()
                .write(
                        tested().caller(),
                        file,
                        0,
                        Payload.of(ByteBuffer.wrap(new byte[] {'a', 'b', 'c'})),
                        Stability.FILE_SYNC);
        tested().restart();
        assertThat(tested().read(tested().lookup("file"))).isEqualTo("abc");
    }
}
