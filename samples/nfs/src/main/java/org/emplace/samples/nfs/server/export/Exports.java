// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.emplace.samples.nfs.security.SecurityFlavor;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.jspecify.annotations.Nullable;

/** The exports of a server, and the handles of their files. Safe for use by several threads. */
public final class Exports implements AutoCloseable {
    /** MNTPATHLEN of RFC 1813 appendix I. */
    private static final int LONGEST_PATH = 1024;

    private final ServerState state;
    private final PrincipalMap principals;
    private final HandleCodec handles;
    private final List<Export> all = new ArrayList<>();
    private final Map<Integer, Export> byNumber = new HashMap<>();
    private final ExportTree tree;

    private Exports(ServerState state, PrincipalMap principals) {
        this.state = state;
        this.principals = principals;
        this.handles = new HandleCodec(state.key());
        this.tree = new ExportTree(path -> number("directory", path));
    }

    /** Like {@link #open(List, Path, StoreOpener, PrincipalMap)}, without callers by Kerberos. */
    public static Exports open(List<ExportDefinition> definitions, Path stateFolder, StoreOpener stores)
            throws IOException {
        return open(definitions, stateFolder, stores, PrincipalMap.NONE);
    }

    /**
     * Opens the directories to export.
     *
     * @param stateFolder the folder with the key of the file handles and {@link #keptNames}; created if it does not exist; must not be inside an export
     * @param principals the users as whom callers by Kerberos act
     * @throws IOException with a message of one line that says what to do; nothing stays open then
     */
    public static Exports open(
            List<ExportDefinition> definitions, Path stateFolder, StoreOpener stores, PrincipalMap principals)
            throws IOException {
        Exports exports = new Exports(ServerState.in(stateFolder), principals);
        try {
            for (ExportDefinition definition : definitions) {
                exports.add(definition, stores);
            }
            return exports;
        } catch (IOException | RuntimeException e) {
            exports.closeAfter(e);
            throw e;
        }
    }

    private void add(ExportDefinition definition, StoreOpener stores) throws IOException {
        if (definition.place().isEmpty()) {
            requireExportable(definition);
        }
        if (definition.name().length > LONGEST_PATH) {
            throw new IOException("cannot export " + definition.directory() + ": its path has "
                    + definition.name().length + " bytes, and MOUNT allows " + LONGEST_PATH);
        }
        int number = (int) number("export", definition.name());
        @Nullable Export other = byNumber.get(number);
        if (other != null) {
            throw new IOException(definition.directory()
                    + (other.toString().equals(definition.directory().toString())
                            ? " is exported twice; list all its clients in one export"
                            : " and " + other
                                    + " have the same export number by chance; export one of them by another path"));
        }
        Store store = open(definition, stores);
        Export export = new Export(definition, number, number("fsid", definition.name()), store);
        all.add(export);
        byNumber.put(number, export);
        tree.add(export);
    }

    private static Store open(ExportDefinition definition, StoreOpener stores) throws IOException {
        return definition.place().isPresent()
                ? StoreProvider.of(definition.place().get())
                        .open(definition.place().get(), stores.descriptors())
                : stores.open(definition.directory().toRealPath(), definition.isDeferred());
    }

    /** Rejects a path that is not a directory of this machine, or that would expose too much. */
    private void requireExportable(ExportDefinition definition) throws IOException {
        Path directory = definition.directory().toRealPath();
        if (!Files.isDirectory(directory)) {
            throw new NotDirectoryException(definition.directory().toString());
        }
        if (directory.getNameCount() == 0) {
            throw new IOException(definition.directory()
                    + " is the whole system, including passwords and devices; export a directory below it");
        }
        if (state.folder().getFileSystem() == directory.getFileSystem()
                && state.folder().startsWith(directory)) {
            throw new IOException("the state folder " + state.folder() + " is inside the export "
                    + definition.directory() + ", where clients could read the key of the file handles; choose another"
                    + " one (--state)");
        }
    }

    /** A number for a path. It depends on the key, but not on the other exports. */
    private long number(String purpose, byte[] path) {
        return ByteBuffer.wrap(state.key().derive(purpose).authenticate(path, path.length))
                .getLong();
    }

    /** All exports, in the order in which they were given. */
    public List<Export> all() {
        return List.copyOf(all);
    }

    /** The users as whom callers by Kerberos act. */
    public PrincipalMap principals() {
        return principals;
    }

    /** The flavors of all exports: by any of them the directories above exports may be seen. */
    public List<SecurityFlavor> flavors() {
        return all.stream()
                .flatMap(export -> export.flavors().stream())
                .distinct()
                .toList();
    }

    /** Whether callers act as themselves on all exports. If not, the server's user acts for them on at least one. */
    public boolean actAsCallers() {
        return all.stream().allMatch(export -> export.store().limits().actsAsCaller());
    }

    /** The export that holds a path: the one whose path is its longest prefix. */
    public Optional<MountPath> find(byte[] path) {
        return tree.find(path);
    }

    /** The directories above the exports. */
    public ExportTree tree() {
        return tree;
    }

    /** A number of this server. It depends on the key only, so it is the same at all addresses and after a restart. */
    public long serverId() {
        return number("server", new byte[0]);
    }

    /** Names that the server keeps in its state folder, so that they survive a crash. */
    public KeptNames keptNames(String purpose) throws IOException {
        return KeptNames.in(state.folder(), purpose);
    }

    /** The handle of a file. */
    public byte[] handle(ExportedFile file) {
        return handles.encode(new HandleCodec.Named(file.export().number(), file.file()));
    }

    /**
     * The file of a handle.
     *
     * @throws StoreException of BADHANDLE if this server did not make the handle, of STALE if it no longer has the export
     */
    public ExportedFile file(byte[] handle) throws StoreException {
        HandleCodec.Named named = handles.decode(handle)
                .orElseThrow(() -> new StoreException(Failure.BADHANDLE, "a handle that this server did not make"));
        @Nullable Export export = byNumber.get(named.export());
        if (export == null) {
            throw new StoreException(Failure.STALE, "a handle of a directory that is no longer exported");
        }
        return new ExportedFile(export, named.file());
    }

    private void closeAfter(Exception failure) {
        try {
            close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    @Override
    public void close() throws IOException {
        try (state) {
            @Nullable IOException failed = null;
            for (Export export : all) {
                try {
                    export.store().close();
                } catch (IOException e) {
                    failed = failed == null ? e : failed;
                }
            }
            if (failed != null) {
                throw failed;
            }
        }
    }

    /** A file that a handle names. */
    public record ExportedFile(Export export, FileId file) {}

    /**
     * The export that holds a path to mount, and the rest of the path.
     *
     * @param below the names below the export's directory
     */
    public record MountPath(Export export, List<FileName> below) {
        /** Copies the names. */
        public MountPath {
            below = List.copyOf(below);
        }
    }

    /** Opens stores of directories. */
    @FunctionalInterface
    public interface StoreOpener {
        /**
         * Opens the store of a directory.
         *
         * @param deferred whether changes may be answered before they are on stable storage
         * @throws IOException with a message of one line that says what to do
         */
        Store open(Path directory, boolean deferred) throws IOException;

        /** The most file descriptors that each store may keep open between calls. */
        default int descriptors() {
            return Integer.MAX_VALUE;
        }
    }
}
