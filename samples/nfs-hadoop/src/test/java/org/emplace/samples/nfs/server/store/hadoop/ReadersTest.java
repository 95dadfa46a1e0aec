// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When files are opened. */
class ReadersTest {
    private static final FileTime VERSION = FileTime.fromMillis(1);

    @TempDir
    private Path temporary;

    private final AtomicInteger opened = new AtomicInteger();
    private CountDownLatch mayOpen = new CountDownLatch(0);
    private Path file = Path.of("");
    private final Readers<Path> readers = new Readers<>(this::open, HadoopOptions.DEFAULT);

    @BeforeEach
    void makeFile() throws IOException {
        file = Files.writeString(temporary.resolve("file"), "content");
    }

    @AfterEach
    void close() {
        readers.close();
    }

    private FSDataInputStream open(Path path) throws IOException {
        opened.incrementAndGet();
        try {
            mayOpen.await();
        } catch (InterruptedException e) {
            throw new InterruptedIOException();
        }
        return FileSystem.getLocal(new Configuration()).getRaw().open(new org.apache.hadoop.fs.Path(path.toUri()));
    }

    /** Reads up to the end of the file as it was found. */
    private String read(FileTime version, long offset, long length) throws IOException {
        byte[] bytes = new byte[(int) (length - offset)];
        readers.read("a client", file, version, length, ByteBuffer.wrap(bytes), offset);
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    /** Opening costs requests to the name node, and often to a data node. */
    @Test
    void readsThatComeTogetherOpenAFileOnce() throws Exception {
        mayOpen = new CountDownLatch(1);
        FutureTask<String> one = new FutureTask<>(() -> read(VERSION, 0, 4));
        FutureTask<String> other = new FutureTask<>(() -> read(VERSION, 4, 7));
        new Thread(one).start();
        Awaitility.await().until(() -> opened.get() == 1);
        Thread second = new Thread(other);
        second.start();
        Awaitility.await().until(() -> opened.get() == 2 || second.getState() == Thread.State.BLOCKED);
        assertThat(opened).hasValue(1);
        mayOpen.countDown();
        assertThat(one.get()).isEqualTo("cont");
        assertThat(other.get()).isEqualTo("ent");
    }

    @Test
    void aFileThatChangedOrGrewIsOpenedAgain() throws IOException {
        assertThat(read(VERSION, 0, 7)).isEqualTo("content");
        assertThat(read(VERSION, 7, 7)).isEmpty();
        assertThat(opened).hasValue(1);
        Files.writeString(file, "another");
        assertThat(read(FileTime.fromMillis(2), 0, 7)).isEqualTo("another");
        assertThat(opened).hasValue(2);
        Files.writeString(file, "another one");
        assertThat(read(FileTime.fromMillis(2), 7, 11)).isEqualTo(" one");
        assertThat(opened).hasValue(3);
    }
}
