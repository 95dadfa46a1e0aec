// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.contents;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.emplace.samples.nfs.client.calls.RemoteFiles;
import org.emplace.samples.nfs.client.calls.RemoteFiles.RemoteNode;
import org.emplace.samples.nfs.protocol.NfsFh3;

/** The open files of a mount, one {@link CachedFile} for each handle. Safe for use by several threads. */
public final class CachedFiles {
    private final RemoteFiles calls;
    private final FileReader reader;
    private final FileWriter writer;
    private final Map<NfsFh3, CachedFile> files = new ConcurrentHashMap<>();

    public CachedFiles(RemoteFiles calls, FileReader reader, FileWriter writer) {
        this.calls = calls;
        this.reader = reader;
        this.writer = writer;
    }

    /**
     * Opens a file. The caller closes it by {@link #close}.
     *
     * @param changed called before the file's contents or attributes change, and again after
     */
    public CachedFile open(RemoteNode node, Consumer<NfsFh3> changed) {
        return files.compute(node.handle(), (handle, known) -> {
            CachedFile file = known == null ? new CachedFile(calls, reader, writer, node, changed) : known;
            file.opened();
            return file;
        });
    }

    /** Ends a use of the file. Returns whether it was the last. */
    public boolean close(CachedFile file) {
        return files.computeIfPresent(file.handle(), (handle, known) -> known.closed() ? null : known) == null;
    }

    /** The file with this handle, if it is open. */
    public Optional<CachedFile> find(NfsFh3 handle) {
        return Optional.ofNullable(files.get(handle));
    }

    /** Sends what the file's channels have written, if it is open, so that the server's next answer shows it. */
    public void flush(NfsFh3 handle) throws InterruptedException {
        Optional<CachedFile> file = find(handle);
        if (file.isPresent()) {
            file.get().flush();
        }
    }

    /** Called when the mount has a new connection: the server may have restarted, and lost what is not stable. */
    public void reconnected() {
        files.values().forEach(CachedFile::reconnected);
    }
}
