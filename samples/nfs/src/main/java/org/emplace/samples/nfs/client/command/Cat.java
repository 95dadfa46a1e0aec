// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.NfsMount;
import org.emplace.samples.nfs.client.RemoteNode;
import org.emplace.samples.nfs.client.RemotePath;
import org.emplace.samples.nfs.protocol.Nfsstat3;
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

    @Parameters(arity = "1..*", paramLabel = "URL", converter = MountSettings.Url.class, description = "Regular files.")
    private List<RemotePath> places = new ArrayList<>();

    @Mixin
    private MountSettings settings = new MountSettings();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Failures failures = new Failures("cat");
        try (Mounts mounts = new Mounts(settings.options());
                FileOutputStream output = new FileOutputStream(FileDescriptor.out);
                FileChannel channel = output.getChannel()) {
            for (RemotePath place : places) {
                failures.attempt(place, () -> write(mounts.of(place), place, channel));
            }
        }
        return failures.exitStatus();
    }

    private static void write(NfsMount mount, RemotePath place, FileChannel output)
            throws IOException, InterruptedException {
        RemoteNode node = mount.find(place, true);
        if (node.isDirectory()) {
            throw new NfsException(Nfsstat3.NFS3ERR_ISDIR);
        }
        mount.reader().read(node.handle(), node.attributes().size(), (ByteBuffer bytes, long offset) -> {
            try {
                while (bytes.hasRemaining()) {
                    output.write(bytes);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e); // nothing more can be shown, of this file or of others
            }
        });
    }
}
