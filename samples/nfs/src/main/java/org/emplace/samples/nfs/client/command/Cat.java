// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.emplace.samples.nfs.client.RemotePath;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code nfs cat}. */
@Command(
        name = "cat",
        description = "Writes the contents of files to standard output.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class Cat implements Callable<Integer> {
    private static final int STEP = 256 * 1024;

    @Parameters(arity = "1..*", paramLabel = "URL", converter = MountSettings.Url.class, description = "Regular files.")
    private List<RemotePath> places = new ArrayList<>();

    @Mixin
    private MountSettings settings = new MountSettings();

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (FileOutputStream output = new FileOutputStream(FileDescriptor.out);
                FileChannel channel = output.getChannel()) {
            return Mounts.forEach(settings, "cat", places, (file, failures) -> write(file, channel));
        }
    }

    private static void write(Path file, FileChannel output) throws IOException {
        if (Files.isDirectory(file)) {
            throw new FileSystemException(file.toString(), null, "Is a directory");
        }
        ByteBuffer step = ByteBuffer.allocate(STEP);
        try (FileChannel input = FileChannel.open(file)) {
            while (input.read(step.clear()) >= 0) {
                show(step.flip(), output);
            }
        }
    }

    private static void show(ByteBuffer bytes, FileChannel output) {
        try {
            while (bytes.hasRemaining()) {
                output.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // no further output is possible, of this file or of others
        }
    }
}
