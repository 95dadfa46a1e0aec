// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.files;

import com.emc.ecs.nfsclient.nfs.NfsDirectoryPlusEntry;
import com.emc.ecs.nfsclient.nfs.NfsReaddirplusResponse;
import com.emc.ecs.nfsclient.nfs.NfsSetAttributes;
import com.emc.ecs.nfsclient.nfs.NfsWriteRequest;
import com.emc.ecs.nfsclient.nfs.io.Nfs3File;
import com.emc.ecs.nfsclient.nfs.io.NfsFileInputStream;
import com.emc.ecs.nfsclient.nfs.io.NfsFileOutputStream;
import com.emc.ecs.nfsclient.nfs.nfs3.Nfs3;
import com.emc.ecs.nfsclient.rpc.CredentialUnix;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The NFS version 3 client {@code com.emc.ecs:nfs-client}, with its file and stream classes. Uses the port mapper of the server's host. */
public final class EmcFiles implements ExportClient {
    private static final int RETRIES = 1;
    private static final int LISTED_BYTES = 1 << 16;

    private final Nfs3 nfs;

    /** Mounts an export as root. */
    public EmcFiles(String host, String export) throws IOException {
        nfs = new Nfs3(host, export, new CredentialUnix(0, 0, Set.of()), RETRIES);
    }

    @Override
    public String name() {
        return "com.emc.ecs:nfs-client";
    }

    @Override
    public Set<FileTask> tasks() {
        return Set.of(FileTask.values());
    }

    private Nfs3File file(String path) throws IOException {
        return new Nfs3File(nfs, path);
    }

    @Override
    public void write(String file, long size, int step) throws IOException {
        Nfs3File target = file(file);
        byte[] data = new byte[(int) Math.min(step, size)];
        if (!target.exists()) {
            target.createNewFile();
        }
        try (OutputStream stream = new NfsFileOutputStream(target, 0, NfsWriteRequest.FILE_SYNC)) {
            for (long left = size; left > 0; left -= data.length) {
                stream.write(data, 0, (int) Math.min(data.length, left));
            }
        }
    }

    @Override
    public void read(String file, long size, int step) throws IOException {
        byte[] into = new byte[step];
        try (InputStream stream = new NfsFileInputStream(file(file), step)) {
            long read = 0;
            for (int got = stream.read(into); got >= 0; got = stream.read(into)) {
                read += got;
            }
            requireAll(read, size);
        }
    }

    private static void requireAll(long read, long size) throws EOFException {
        if (read != size) {
            throw new EOFException(read + " bytes of " + size);
        }
    }

    @Override
    public RandomReader open(String file) throws IOException {
        Nfs3File open = file(file);
        return new RandomReader() {
            @Override
            public void read(long position, int length) throws IOException {
                requireAll(open.read(position, length, new byte[length], 0).getBytesRead(), length);
            }

            @Override
            public void close() {
                // Nfs3File keeps nothing open.
            }
        };
    }

    @Override
    public void makeDirectory(String directory) throws IOException {
        file(directory).mkdir(new NfsSetAttributes(0755L, 0L, 0L, 0L, null, null));
    }

    @Override
    public void delete(String file) throws IOException {
        file(file).delete();
    }

    @Override
    public void deleteDirectory(String directory) throws IOException {
        file(directory).rmdir();
    }

    @Override
    public int list(String directory) throws IOException {
        Nfs3File listed = file(directory);
        List<NfsDirectoryPlusEntry> entries = new ArrayList<>();
        NfsReaddirplusResponse page = listed.readdirplus(0, 0, LISTED_BYTES, LISTED_BYTES, entries);
        while (!page.isEof()) {
            page = listed.readdirplus(page.getCookie(), page.getCookieverf(), LISTED_BYTES, LISTED_BYTES, entries);
        }
        return (int) entries.stream()
                .filter(entry -> !entry.getFileName().startsWith(".")
                        && entry.getAttributes().getSize() == 0)
                .count();
    }

    @Override
    public void close() {
        // Nfs3 has no close method.
    }
}
