// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v4;

import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.samples.nfs.server.export.Export;
import org.emplace.samples.nfs.server.export.Export.CallOrigin;
import org.emplace.samples.nfs.server.export.ExportTree;
import org.emplace.samples.nfs.server.export.ExportTree.Node;
import org.emplace.samples.nfs.server.export.Exports;
import org.emplace.samples.nfs.server.export.Exports.ExportedFile;
import org.emplace.samples.nfs.server.program.AddressedFile;
import org.emplace.samples.nfs.server.state.FileKey;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileType;
import org.emplace.samples.nfs.server.store.Store.FoundFile;
import org.emplace.samples.nfs.server.store.Store.Limits;
import org.emplace.samples.nfs.server.store.Store.Space;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.xdr.XdrOpaque;

/** What a filehandle refers to, with the rights of a call's sender. */
sealed interface Addressed {
    XdrOpaque handle();

    /** The number of its file system (fsid). */
    long fileSystem();

    FileAttributes attributes() throws IOException;

    /** The number of the directory that this one is mounted on; else the file's own. */
    long mountedOn(FileAttributes file) throws IOException;

    Limits limits();

    Space space() throws IOException;

    boolean isReadOnly();

    /** Whether the call is made by a flavor that the export lists. By any flavor, directories above exports may be seen. */
    default boolean isByListedFlavor() {
        return true;
    }

    /** The file in an export. Throws ISDIR or ROFS for a directory above the exports, which nobody can change. */
    AddressedFile stored(Failure otherwise) throws StoreException;

    /** The file in an export, to change entries in it. */
    default AddressedFile toChange() throws StoreException {
        return stored(Failure.ROFS).toChange();
    }

    /**
     * Finds what a filehandle refers to.
     *
     * @throws StoreException BADHANDLE or STALE; ACCES if the file's export does not admit the sender
     */
    static Addressed of(XdrOpaque handle, Exports exports, CallOrigin origin) throws StoreException {
        byte[] bytes = handle.bytes();
        if (ExportTree.isHandle(bytes)) {
            return new AboveExports(exports.tree()
                    .node(bytes)
                    .orElseThrow(() -> new StoreException(Failure.STALE, "a directory above no export any more")));
        }
        ExportedFile file = exports.file(bytes);
        return new Stored(new AddressedFile(exports, file, file.export().admit(origin)));
    }

    /**
     * The directory at a place of the tree: the root of the export there or, if that does not admit the sender, the directory above further exports.
     *
     * @throws StoreException ACCES if neither may be seen
     */
    static Addressed at(Node node, Exports exports, CallOrigin origin) throws IOException {
        Optional<Export> export = node.export();
        if (export.isEmpty()) {
            return new AboveExports(node);
        }
        try {
            ExportedFile root =
                    new ExportedFile(export.get(), export.get().store().root().id());
            return new Stored(new AddressedFile(exports, root, export.get().admit(origin)));
        } catch (StoreException notAdmitted) {
            if (notAdmitted.failure() == Failure.ACCES && !node.below().isEmpty()) {
                return new AboveExports(node);
            }
            throw notAdmitted;
        }
    }

    /** A file in an export. */
    record Stored(AddressedFile file) implements Addressed {
        @Override
        public XdrOpaque handle() {
            return XdrOpaque.of(file.exports().handle(file.file()));
        }

        @Override
        public long fileSystem() {
            return file.file().export().fileSystemId();
        }

        @Override
        public FileAttributes attributes() throws IOException {
            return file.store().file(file.id()).attributes();
        }

        @Override
        public long mountedOn(FileAttributes attributes) throws IOException {
            return isRoot()
                    ? file.exports()
                            .tree()
                            .place(file.file().export())
                            .map(Node::number)
                            .orElse(attributes.number())
                    : attributes.number();
        }

        boolean isRoot() throws IOException {
            return file.store().root().id().equals(file.id());
        }

        @Override
        public Limits limits() {
            return file.store().limits();
        }

        @Override
        public Space space() throws IOException {
            return file.store().space();
        }

        @Override
        public boolean isReadOnly() {
            return file.isReadOnly();
        }

        @Override
        public boolean isByListedFlavor() {
            return file.access().byListedFlavor();
        }

        @Override
        public AddressedFile stored(Failure otherwise) {
            return file;
        }

        /** Another file of the same export. */
        Stored other(FoundFile found) {
            return new Stored(new AddressedFile(
                    file.exports(), new ExportedFile(file.file().export(), found.id()), file.access()));
        }

        /** What identifies the file in the state. */
        FileKey key() {
            return file.key();
        }
    }

    /** A directory above the exports. */
    record AboveExports(Node node) implements Addressed {
        private static final int MODE = 0555;
        private static final int LONGEST_NAME = 255;
        private static final FileTime START = FileTime.fromMillis(System.currentTimeMillis());
        private static final Limits LIMITS =
                new Limits(true, true, false, false, false, true, 1, LONGEST_NAME, Long.MAX_VALUE);

        @Override
        public XdrOpaque handle() {
            return XdrOpaque.of(ExportTree.handle(node));
        }

        @Override
        public long fileSystem() {
            return 0;
        }

        @Override
        public FileAttributes attributes() {
            return new FileAttributes(
                    node.number(),
                    FileType.DIRECTORY,
                    MODE,
                    2L + node.below().size(),
                    0,
                    0,
                    0,
                    0,
                    0,
                    START,
                    START,
                    START);
        }

        @Override
        public long mountedOn(FileAttributes file) {
            return file.number();
        }

        @Override
        public Limits limits() {
            return LIMITS;
        }

        @Override
        public Space space() {
            return new Space(0, 0, 0, 0, 0);
        }

        @Override
        public boolean isReadOnly() {
            return true;
        }

        @Override
        public AddressedFile stored(Failure otherwise) throws StoreException {
            throw new StoreException(otherwise, "a directory above the exports");
        }
    }

    /** Checks that this is a directory. */
    default FileAttributes requireDirectory() throws IOException, StatusException {
        FileAttributes file = attributes();
        if (file.isSymbolicLink()) {
            throw new StatusException(Nfsstat4.NFS4ERR_SYMLINK, "a symbolic link, not a directory");
        }
        file.requireDirectory(this);
        return file;
    }
}
