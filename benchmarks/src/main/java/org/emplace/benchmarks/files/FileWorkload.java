// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.files;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs the tasks, each client's in its own directory, and measures their rates. */
public final class FileWorkload implements AutoCloseable {
    /** The directory that is listed. The server has it from the start. */
    public static final String LISTED = "/listed";
    /** The number of files in that directory. */
    public static final int LISTED_FILES = 10_000;

    /** The file that is written in the client's directory. It must not exist before a round. */
    public static final String LARGE = "/large";

    private static final int LARGE_STEP = 1 << 20;
    private static final int SMALL_STEP = 4096;
    private static final int RANDOM_THREADS = 16;
    private static final int RANDOM_READS_EACH = 500;
    private static final int TREE_DIRECTORIES = 20;
    private static final int TREE_THREADS = 8;
    private static final int LARGEST_OF_TREE = 8192;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final long largeSize;
    private final int treeFiles;

    /**
     * @param largeSize size in bytes of the file that is read and written
     * @param treeFiles number of files in the tree, of 0 to 8 KiB each
     */
    public FileWorkload(long largeSize, int treeFiles) {
        this.largeSize = largeSize;
        this.treeFiles = treeFiles;
    }

    /** One of many equal units of a task. */
    @FunctionalInterface
    private interface Piece {
        void run(int number) throws Exception;
    }

    /**
     * Runs a task once.
     *
     * @param directory the client's own directory
     * @return the rate per second, in the task's unit
     */
    public double measure(FileTask task, ExportClient client, String directory) throws Exception {
        long begin = System.nanoTime();
        double amount = run(task, client, directory);
        return amount * 1e9 / (System.nanoTime() - begin);
    }

    private double run(FileTask task, ExportClient client, String directory) throws Exception {
        String large = directory + LARGE;
        return switch (task) {
            case WRITE -> {
                client.write(large, largeSize, LARGE_STEP);
                yield (double) largeSize / LARGE_STEP;
            }
            case READ -> {
                client.read(large, largeSize, LARGE_STEP);
                yield (double) largeSize / LARGE_STEP;
            }
            case RANDOM_READ -> readAtRandom(client, large, 1);
            case RANDOM_READS -> readAtRandom(client, large, RANDOM_THREADS);
            case MAKE_TREE -> makeTree(client, directory + "/tree");
            case READ_TREE -> {
                inThreads(TREE_THREADS, treeFiles, i -> client.read(file(directory, i), size(i), LARGE_STEP));
                yield treeFiles;
            }
            case REMOVE_TREE -> removeTree(client, directory + "/tree");
            case LIST -> {
                int names = client.list(LISTED);
                if (names != LISTED_FILES) {
                    throw new IllegalStateException(client.name() + " lists " + names + " names");
                }
                yield names;
            }
        };
    }

    private double readAtRandom(ExportClient client, String file, int readers) throws Exception {
        try (ExportClient.RandomReader open = client.open(file)) {
            inThreads(readers, readers, reader -> {
                Random random = new Random(reader);
                for (int i = 0; i < RANDOM_READS_EACH; i++) {
                    long block = random.nextInt((int) (largeSize / SMALL_STEP));
                    open.read(block * SMALL_STEP, SMALL_STEP);
                }
            });
        }
        return (double) readers * RANDOM_READS_EACH;
    }

    private double makeTree(ExportClient client, String tree) throws Exception {
        client.makeDirectory(tree);
        for (int i = 0; i < TREE_DIRECTORIES; i++) {
            client.makeDirectory(tree + "/" + i);
        }
        inThreads(TREE_THREADS, treeFiles, i -> client.write(tree + name(i), size(i), LARGE_STEP));
        return treeFiles;
    }

    private double removeTree(ExportClient client, String tree) throws Exception {
        inThreads(TREE_THREADS, treeFiles, i -> client.delete(tree + name(i)));
        for (int i = 0; i < TREE_DIRECTORIES; i++) {
            client.deleteDirectory(tree + "/" + i);
        }
        client.deleteDirectory(tree);
        return treeFiles;
    }

    private static String file(String directory, int number) {
        return directory + "/tree" + name(number);
    }

    private static String name(int number) {
        return "/" + number % TREE_DIRECTORIES + "/" + number;
    }

    private static int size(int number) {
        return new Random(number).nextInt(LARGEST_OF_TREE + 1);
    }

    private void inThreads(int count, int pieces, Piece piece) throws Exception {
        List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < count; thread++) {
            int first = thread;
            running.add(threads.submit(() -> {
                for (int i = first; i < pieces; i += count) {
                    piece.run(i);
                }
                return null;
            }));
        }
        for (Future<?> each : running) {
            each.get();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
