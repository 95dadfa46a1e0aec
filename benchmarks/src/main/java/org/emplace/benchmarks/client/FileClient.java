// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.client;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.HdrHistogram.Histogram;
import org.emplace.benchmarks.load.Client;
import org.emplace.benchmarks.load.Load;

/** Accesses a file with O_DIRECT, so that each read and write reaches the file system. Several in flight use as many threads. */
final class FileClient implements Client {
    private static final int SIZE = 1 << 20;

    private final FileChannel file;
    private final int block;
    private final CallingThreads threads = new CallingThreads();

    /** Creates the file and opens it. */
    FileClient(URI address) throws IOException {
        Path path = Path.of(address);
        Files.write(path, new byte[SIZE]);
        block = Math.toIntExact(Files.getFileStore(path).getBlockSize());
        file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT);
    }

    @Override
    public void run(Load load, Histogram durations) throws Exception {
        threads.run(load, () -> part(load), durations);
    }

    private Histogram part(Load load) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(load.size() + block).alignedSlice(block);
        Histogram durations = new Histogram(3);
        for (int i = 0; i < load.calls() / load.inFlight(); i++) {
            buffer.position(0).limit(load.size());
            long start = System.nanoTime();
            switch (load.operation()) {
                case NULL -> throw new IllegalArgumentException("a file has no call that does nothing");
                case READ -> file.read(buffer, 0);
                case WRITE -> file.write(buffer, 0);
            }
            durations.recordValue(System.nanoTime() - start);
            if (buffer.hasRemaining()) {
                throw new IOException(buffer.position() + " bytes moved, not " + load.size());
            }
        }
        return durations;
    }

    @Override
    public void close() throws IOException {
        threads.close();
        file.close();
    }
}
