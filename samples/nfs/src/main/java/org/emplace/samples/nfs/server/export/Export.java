// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import org.emplace.samples.nfs.server.handle.FileHandle;
import org.emplace.samples.nfs.server.handle.HandleCodec;

/** An exported directory. Safe for use by several threads. */
public final class Export implements AutoCloseable {
    private final Path root;
    private final FileNames names;
    private final FileTree tree;
    private final FileStore store;
    private final OpenFiles openFiles;
    private final ExportState state;
    private final long fileSystemId;
    private final Namespace namespace;
    private final Contents contents;
    private final Attributes attributes;
    private final Directories directories;
    private final NamespaceLock lock = new NamespaceLock();

    private Export(Path root, ExportState state, AttributeSource source, ExportOptions options) throws IOException {
        this.root = root;
        this.state = state;
        this.names = FileNames.of(root.getFileSystem());
        this.store = Files.getFileStore(root);
        this.tree = new FileTree(root, source, new HandleCodec(state.key()), state.generations(), System::nanoTime);
        this.openFiles = new OpenFiles(options.openFiles(), options.idle(), System::nanoTime);
        this.fileSystemId = ByteBuffer.wrap(state.key().derive("fsid").authenticate(new byte[0], 0))
                .getLong();
        Permissions permissions = new Permissions(options.identity());
        this.contents = new Contents(tree, source, openFiles, permissions, lock);
        this.attributes = new Attributes(tree, source, contents, permissions, options.durability(), lock);
        Maker maker = new Maker(tree, attributes, openFiles, permissions);
        this.namespace =
                new Namespace(tree, names, maker, attributes, openFiles, permissions, options.durability(), lock);
        this.directories = new Directories(tree, names, new DirectoryCookies(state.key()), permissions, lock);
    }

    /**
     * Exports a directory.
     *
     * @param directory on any file system
     * @param stateFolder where the key of the handles is kept; made if it does not exist; must not be inside the export
     * @throws IOException with a message of one line that says what to do
     */
    public static Export open(Path directory, Path stateFolder, ExportOptions options) throws IOException {
        Path root = directory.toRealPath();
        if (!Files.isDirectory(root)) {
            throw new NotDirectoryException(directory.toString());
        }
        AttributeSource source = AttributeSource.of(root);
        ExportState state = ExportState.in(stateFolder, source.isLasting());
        try {
            if (stateFolder.toRealPath().startsWith(root)) {
                throw new IOException("the state folder " + stateFolder
                        + " is inside the export, where clients could read the key of the file"
                        + " handles: choose another one");
            }
            return new Export(root, state, source, options);
        } catch (IOException | RuntimeException e) {
            state.close();
            throw e;
        }
    }

    public Namespace namespace() {
        return namespace;
    }

    public Contents contents() {
        return contents;
    }

    public Attributes attributes() {
        return attributes;
    }

    public Directories directories() {
        return directories;
    }

    /** The handle of a file. */
    public FileHandle handle(Node node) {
        return tree.handle(node);
    }

    /** The number of the file system that a file is on (fsid): the same after a restart. */
    public long fileSystemId(FileAttributes file) {
        return fileSystemId ^ file.key().device();
    }

    /** The export's own directory. */
    public Node root() throws IOException {
        return lock.shared(tree::root);
    }

    /** The export's path, as clients name it. */
    public byte[] path() {
        return names.targetBytes(root);
    }

    /**
     * The exported directory, or one below it, by its whole path.
     *
     * @throws ExportException of NOENT, NOTDIR, or of ACCES for a path that is not exported
     */
    public Node mount(Caller caller, byte[] path) throws IOException {
        Path wanted = names.target(withoutEmptyNames(path)).normalize();
        if (!wanted.isAbsolute() || !wanted.startsWith(root)) {
            throw new ExportException(Failure.ACCES, "not exported: " + wanted);
        }
        Node node = root();
        for (Path name : root.relativize(wanted)) {
            if (!name.toString().isEmpty()) {
                node = namespace.lookup(caller, handle(node), names.fileName(name));
            }
        }
        return node.requireDirectory();
    }

    private static byte[] withoutEmptyNames(byte[] path) {
        ByteArrayOutputStream clean = new ByteArrayOutputStream(path.length);
        for (int i = 0; i < path.length; i++) {
            boolean slash = path[i] == '/';
            boolean last = i + 1 == path.length;
            if (!slash || i == 0 || (!last && path[i + 1] != '/')) {
                clean.write(path[i]);
            }
        }
        return clean.toByteArray();
    }

    /**
     * Room on the file system, in bytes.
     *
     * @param available what the server's user may still use
     */
    public record Space(long total, long free, long available) {}

    /** Room on the file system of the export's root. */
    public Space space() throws IOException {
        return new Space(store.getTotalSpace(), store.getUnallocatedSpace(), store.getUsableSpace());
    }

    /** Closes files that were not used for a while. To be called now and then. */
    public void closeIdleFiles() {
        openFiles.closeIdle();
    }

    @Override
    public void close() throws IOException {
        openFiles.close();
        state.close();
    }
}
