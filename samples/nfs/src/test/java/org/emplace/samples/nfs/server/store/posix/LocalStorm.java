// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.emplace.samples.nfs.path.PathBytes;
import org.emplace.samples.nfs.server.store.FileName;

/**
 * A local program that replaces files in an export. It changes names in the root and in directories directly below, by system calls that follow no
 * links, so that it does no harm elsewhere.
 */
final class LocalStorm implements Runnable {
    private static final int FIFO = 0010666;

    private final Path export;
    private final byte[] canary;
    private final Random random;
    private volatile boolean stopped;
    private final AtomicLong swaps = new AtomicLong();

    LocalStorm(Path export, Path canary, Random random) {
        this.export = export;
        byte[] path = PathBytes.of(canary);
        this.canary = Arrays.copyOf(path, path.length + 1);
        this.random = random;
    }

    void stop() {
        stopped = true;
    }

    long swaps() {
        return swaps.get();
    }

    @Override
    public void run() {
        byte[] path = NameBytes.terminated(new FileName(PathBytes.of(export)));
        try (Descriptor root = Descriptor.of(SystemCalls.open(path, SystemCalls.DIRECTORY), "opening the export")) {
            while (!stopped) {
                long below = random.nextInt(2) == 0 ? -1 : SystemCalls.locate(root.number(), name());
                long swapped;
                if (below < 0) {
                    swapped = swap(root);
                } else {
                    try (Descriptor directory = new Descriptor((int) below)) {
                        swapped = swap(directory);
                    }
                }
                swaps.addAndGet(swapped >= 0 ? 1 : 0);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private byte[] name() {
        return (StormClient.name(random) + '\0').getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Swaps two names, or replaces one by a link, a FIFO or nothing. After a failure, the next call tries another.
     *
     * @return negative if it failed
     */
    private long swap(Descriptor directory) {
        int in = directory.number();
        byte[] name = name();
        byte[] aside = "aside\0".getBytes(StandardCharsets.US_ASCII);
        long swapped;
        switch (random.nextInt(5)) {
            case 0 -> {
                byte[] other = name();
                SystemCalls.rename(in, name, in, aside);
                swapped = SystemCalls.rename(in, other, in, name);
                SystemCalls.rename(in, aside, in, other);
            }
            case 1 -> {
                SystemCalls.rename(in, name, in, aside);
                swapped = SystemCalls.makeSymbolicLink(canary, in, name);
                SystemCalls.remove(in, name);
                SystemCalls.rename(in, aside, in, name);
            }
            case 2 -> {
                SystemCalls.rename(in, name, in, aside);
                swapped = SystemCalls.makeNode(in, name, FIFO, 0);
                SystemCalls.remove(in, name);
                SystemCalls.rename(in, aside, in, name);
            }
            case 3 -> {
                SystemCalls.remove(in, name);
                swapped = SystemCalls.makeSymbolicLink(canary, in, name);
            }
            default -> {
                SystemCalls.remove(in, name);
                swapped = SystemCalls.makeNode(in, name, FIFO, 0);
            }
        }
        return swapped;
    }
}
