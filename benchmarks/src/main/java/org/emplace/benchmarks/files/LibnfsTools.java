// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.files;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/**
 * The commands of libnfs, each run as a process: {@code nfs-cp}, between the server and this machine, and {@code nfs-ls}. The local files are in the
 * page cache. The commands use the port mapper of the server's host.
 */
public final class LibnfsTools implements ExportClient {
    private final String url;
    private final Path local;

    /** @param local a directory of this machine for the copied files */
    public LibnfsTools(String host, String export, Path local) {
        this.url = "nfs://" + host + export;
        this.local = local;
    }

    @Override
    public String name() {
        return "libnfs's commands";
    }

    @Override
    public Set<FileTask> tasks() {
        return EnumSet.of(FileTask.WRITE, FileTask.READ, FileTask.LIST);
    }

    private long run(boolean counting, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        long lines;
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            lines = output.lines()
                    .filter(line -> counting && line.startsWith("-"))
                    .count();
        }
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed with status " + process.exitValue());
        }
        return lines;
    }

    @Override
    public void write(String file, long size, int step) throws IOException, InterruptedException {
        Path source = local.resolve("source");
        if (!Files.exists(source)) {
            Files.write(source, new byte[(int) size]);
        }
        run(false, "nfs-cp", source.toString(), url + file + "?version=3");
    }

    @Override
    public void read(String file, long size, int step) throws IOException, InterruptedException {
        Path target = local.resolve("target");
        run(false, "nfs-cp", url + file + "?version=3", target.toString());
        if (Files.size(target) != size) {
            throw new IOException("nfs-cp copies " + Files.size(target) + " bytes of " + size);
        }
        Files.delete(target);
    }

    @Override
    public int list(String directory) throws IOException, InterruptedException {
        return (int) run(true, "nfs-ls", url + directory + "?version=3");
    }

    @Override
    public RandomReader open(String file) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void makeDirectory(String directory) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void delete(String file) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void deleteDirectory(String directory) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        // Each process has ended.
    }
}
