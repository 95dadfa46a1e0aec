// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.emplace.samples.nfs.security.SecurityFlavor;
import org.emplace.samples.nfs.server.export.Export.Opened;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.jspecify.annotations.Nullable;

/** The exports of a server, which can be replaced by others, and the handles of their files. Safe for use by several threads. */
public final class Exports implements AutoCloseable {
    /** MNTPATHLEN of RFC 1813 appendix I. */
    private static final int LONGEST_PATH = 1024;

    private final ServerState state;
    private final HandleCodec handles;
    private final StoreOpener stores;
    /** All stores that have been opened, because calls may use those of former exports for any time. Guarded by this. */
    private final List<Store> opened = new ArrayList<>();

    private volatile Table table;

    /** The exports at one time. */
    private record Table(List<Export> all, Map<Integer, Export> byNumber, ExportTree tree, PrincipalMap principals) {}

    private Exports(ServerState state, StoreOpener stores) {
        this.state = state;
        this.stores = stores;
        this.handles = new HandleCodec(state.key());
        this.table = new Table(List.of(), Map.of(), tree(List.of()), PrincipalMap.NONE);
    }

    private ExportTree tree(List<Export> exports) {
        ExportTree tree = new ExportTree(path -> number("directory", path));
        exports.forEach(tree::add);
        return tree;
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
     * @throws IOException with a line for each error, which says what to do; nothing stays open then
     */
    public static Exports open(
            List<ExportDefinition> definitions, Path stateFolder, StoreOpener stores, PrincipalMap principals)
            throws IOException {
        require(definitions, stateFolder);
        Exports exports = new Exports(ServerState.in(stateFolder), stores);
        try {
            exports.fill(definitions, principals);
            return exports;
        } catch (IOException | RuntimeException e) {
            exports.closeAfter(e);
            throw e;
        }
    }

    /**
     * Replaces the exports. Handles of files stay valid where their export remains. A directory that has been made again is opened anew. What is no
     * longer exported stays open until {@link #close}, because calls may still use it.
     *
     * @throws IOException with a line for each error, which says what to do; then nothing has changed
     */
    public synchronized void replace(List<ExportDefinition> definitions, PrincipalMap principals) throws IOException {
        require(definitions, state.folder());
        fill(definitions, principals);
    }

    private static void require(List<ExportDefinition> definitions, Path stateFolder) throws IOException {
        List<String> errors = errors(definitions, stateFolder);
        if (!errors.isEmpty()) {
            throw new IOException(String.join("\n", errors));
        }
    }

    /** Why directories cannot be exported, a line for each; none if all can. Opens nothing. */
    public static List<String> errors(List<ExportDefinition> definitions, Path stateFolder) {
        List<String> errors = new ArrayList<>();
        Set<Path> seen = new HashSet<>();
        for (ExportDefinition definition : definitions) {
            Path directory = definition.directory();
            try {
                if (!seen.add(directory)) {
                    throw new IOException(directory + " is exported twice; list all its clients in one export");
                } else if (definition.name().length > LONGEST_PATH) {
                    throw new IOException("cannot export " + directory + ": its path has " + definition.name().length
                            + " bytes, and MOUNT allows " + LONGEST_PATH);
                } else if (definition.place().isEmpty()) {
                    requireExportable(directory, stateFolder);
                }
            } catch (FileSystemException e) {
                errors.add(directory + " cannot be exported: " + e);
            } catch (IOException e) {
                errors.add(String.valueOf(e.getMessage()));
            }
        }
        return errors;
    }

    private synchronized void fill(List<ExportDefinition> definitions, PrincipalMap principals) throws IOException {
        int before = opened.size();
        try {
            table = table(definitions, principals);
        } catch (IOException | RuntimeException e) {
            // No call can have used these.
            List<Store> unused = opened.subList(before, opened.size());
            for (Store store : unused) {
                try {
                    store.close();
                } catch (IOException failed) {
                    e.addSuppressed(failed);
                }
            }
            unused.clear();
            throw e;
        }
    }

    private Table table(List<ExportDefinition> definitions, PrincipalMap principals) throws IOException {
        List<Export> all = new ArrayList<>();
        Map<Integer, Export> byNumber = new HashMap<>();
        for (ExportDefinition definition : definitions) {
            int number = (int) number("export", definition.name());
            Export export = new Export(definition, number, number("fsid", definition.name()), open(definition, number));
            all.add(export);
            @Nullable Export other = byNumber.put(number, export);
            if (other != null) {
                throw new IOException(definition.directory() + " and " + other
                        + " have the same export number by chance; export one of them by another path");
            }
        }
        return new Table(List.copyOf(all), Map.copyOf(byNumber), tree(all), principals);
    }

    private Opened open(ExportDefinition definition, int number) throws IOException {
        @Nullable
        Object directory = definition.place().isPresent()
                ? null
                : Files.readAttributes(definition.directory(), BasicFileAttributes.class)
                        .fileKey();
        Optional<Opened> kept = Optional.ofNullable(table.byNumber().get(number))
                .flatMap(former -> former.openedFor(definition, directory));
        if (kept.isPresent()) {
            return kept.get();
        }
        Store store = definition.place().isPresent()
                ? StoreProvider.of(definition.place().get())
                        .open(definition.place().get(), stores.descriptors())
                : stores.open(definition.directory().toRealPath(), definition.isDeferred());
        opened.add(store);
        return new Opened(store, directory);
    }

    /** Rejects a path that is not a directory of this machine, or that would expose too much. */
    private static void requireExportable(Path exported, Path stateFolder) throws IOException {
        Path directory;
        try {
            directory = exported.toRealPath();
        } catch (NoSuchFileException e) {
            String hint = exported.toString().contains(":")
                    ? "; options after a ':' begin with one of those that --help lists"
                    : "";
            throw new IOException(exported + ": no such directory" + hint, e);
        }
        if (!Files.isDirectory(directory)) {
            throw new IOException(exported + ": not a directory");
        }
        if (directory.getNameCount() == 0) {
            throw new IOException(
                    exported + " is the whole system, including passwords and devices; export a directory below it");
        }
        if (stateFolder.getFileSystem() == directory.getFileSystem()
                && real(stateFolder).startsWith(directory)) {
            throw new IOException("the state folder " + stateFolder + " is inside the export " + exported
                    + ", where clients could read the key of the file handles; choose another one (--state)");
        }
    }

    /** The real path of a folder that may not exist yet. */
    private static Path real(Path folder) throws IOException {
        Path existing = folder.toAbsolutePath().normalize();
        Path missing = existing.relativize(existing);
        while (!Files.exists(existing) && existing.getParent() != null) {
            missing = existing.getFileName().resolve(missing);
            existing = existing.getParent();
        }
        return existing.toRealPath().resolve(missing);
    }

    /** A number for a path. It depends on the key, but not on the other exports. */
    private long number(String purpose, byte[] path) {
        return ByteBuffer.wrap(state.key().derive(purpose).authenticate(path, path.length))
                .getLong();
    }

    /** All exports, in the order in which they were given. */
    public List<Export> all() {
        return table.all();
    }

    /** The users as whom callers by Kerberos act. */
    public PrincipalMap principals() {
        return table.principals();
    }

    /** The flavors of all exports: by any of them the directories above exports may be seen. */
    public List<SecurityFlavor> flavors() {
        return table.all().stream()
                .flatMap(export -> export.flavors().stream())
                .distinct()
                .toList();
    }

    /** Whether callers act as themselves on all exports. If not, the server's user acts for them on at least one. */
    public boolean actAsCallers() {
        return table.all().stream().allMatch(export -> export.store().limits().actsAsCaller());
    }

    /** The export that holds a path: the one whose path is its longest prefix. */
    public Optional<MountPath> find(byte[] path) {
        return table.tree().find(path);
    }

    /** The directories above the exports. */
    public ExportTree tree() {
        return table.tree();
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
        @Nullable Export export = table.byNumber().get(named.export());
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
    public synchronized void close() throws IOException {
        try (state) {
            @Nullable IOException failed = null;
            for (Store store : opened) {
                try {
                    store.close();
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
