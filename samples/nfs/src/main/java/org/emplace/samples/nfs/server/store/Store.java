// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import org.emplace.xdr.Payload;

/**
 * A tree of files that NFS can export. A store answers in file ids and names; what else it knows of a file, a path or a descriptor, stays its own.
 * Every operation is atomic as RFC 1813 describes the procedure named beside it, and reaches nothing outside the tree, whatever clients and other
 * programs do to names meanwhile. No operation opens a FIFO, socket or device, or waits for anybody but the file system.
 *
 * <p>A store implements those changes that it can make. The others fail: with {@link Failure#ROFS} if it is read only, else with {@link Failure#NOTSUPP}.
 *
 * <p>The caller is whoever the export's options made of the call's credential. A store that cannot act as different users ignores it and says so in
 * {@link StoreLimits#actsAsCaller}.
 *
 * <p>All operations throw {@link StoreException} for what nfsstat3 has a name for, among them {@link Failure#STALE} for the id of a file that is gone
 * and {@link Failure#BADHANDLE} for an id that this store cannot have made. Any other {@link IOException} is an {@link Failure#IO}. Ids come from
 * clients, authenticated by the server: they were made by this store, perhaps before a restart. Safe for use by several threads.
 */
public interface Store extends AutoCloseable {

    /** What the store can do; the same for its whole life (FSINFO, PATHCONF). */
    StoreLimits limits();

    /** Room on the file system (FSSTAT). */
    Space space() throws IOException;

    /** The top of the tree. */
    FoundFile root() throws IOException;

    /** The file that an id names, as it is now (GETATTR). */
    FoundFile file(FileId file) throws IOException;

    /** What a directory has by a name, "." and ".." included; the root is its own parent (LOOKUP). */
    FoundFile lookup(Caller caller, FileId directory, FileName name) throws IOException;

    /**
     * Which of the asked rights, a sum of the ACCESS3 bits of {@link AccessRights}, the caller has (ACCESS). A hint for the client; every operation checks
     * for itself.
     */
    AccessResult access(Caller caller, FileId file, int asked) throws IOException;

    /** What a symbolic link holds (READLINK). */
    byte[] readLink(FileId link) throws IOException;

    /** Opens a regular file for reading (READ). */
    ReadableFile read(Caller caller, FileId file) throws IOException;

    /**
     * Writes all of a payload at an offset (WRITE). The payload may still be in the client's memory; the store fetches it when it wants it.
     *
     * @param offset not negative; neither is its sum with the payload's length
     */
    default WriteResult write(Caller caller, FileId file, long offset, Payload data, Stability stability)
            throws IOException {
        throw unable();
    }

    /** Puts everything written to a file on stable storage (COMMIT). */
    default CommitResult commit(Caller caller, FileId file) throws IOException {
        throw unable();
    }

    /**
     * Sets attributes (SETATTR).
     *
     * @param guard change time that the file must have now
     * @throws StoreException of NOT_SYNC if it has another
     */
    default WeakCacheConsistency setAttributes(
            Caller caller, FileId file, AttributeChange change, Optional<FileTime> guard) throws IOException {
        throw unable();
    }

    /** Makes a regular file (CREATE). */
    default CreationResult create(Caller caller, FileId directory, FileName name, Creation how) throws IOException {
        throw unable();
    }

    /** Makes a directory (MKDIR). */
    default CreationResult makeDirectory(Caller caller, FileId directory, FileName name, AttributeChange wanted)
            throws IOException {
        throw unable();
    }

    /** Makes a symbolic link; what it holds is the clients' affair and is never followed here (SYMLINK). */
    default CreationResult makeSymbolicLink(
            Caller caller, FileId directory, FileName name, byte[] target, AttributeChange wanted) throws IOException {
        throw unable();
    }

    /**
     * Makes a FIFO, socket or device (MKNOD).
     *
     * @param device number of a device as Linux encodes it; 0 for the others
     */
    default CreationResult makeNode(
            Caller caller, FileId directory, FileName name, FileType type, long device, AttributeChange wanted)
            throws IOException {
        throw unable();
    }

    /** Gives a file that is not a directory one more name (LINK). */
    default CreationResult link(Caller caller, FileId file, FileId directory, FileName name) throws IOException {
        throw unable();
    }

    /** Takes a name from what is not a directory (REMOVE). */
    default WeakCacheConsistency remove(Caller caller, FileId directory, FileName name) throws IOException {
        throw unable();
    }

    /** Removes an empty directory (RMDIR). */
    default WeakCacheConsistency removeDirectory(Caller caller, FileId directory, FileName name) throws IOException {
        throw unable();
    }

    /** Gives a file another name, in place of what had that name if the two are of a kind (RENAME). */
    default RenameResult rename(
            Caller caller, FileId fromDirectory, FileName oldName, FileId toDirectory, FileName newName)
            throws IOException {
        throw unable();
    }

    /**
     * Lists a directory from after a cookie, "." and ".." first (READDIR, READDIRPLUS). Costs what it hands to the visitor, however large the directory
     * is. An entry that is there from the first call to the last is met exactly once, whatever else changes between.
     *
     * @param cookie of the last entry that was taken; 0 for the start
     * @param verifier that came with that cookie
     * @param withFiles whether the visitor wants {@link DirectoryEntry#file}
     * @throws StoreException of BAD_COOKIE if the listing cannot go on from there
     */
    ListingResult list(
            Caller caller, FileId directory, long cookie, long verifier, boolean withFiles, EntryVisitor visitor)
            throws IOException;

    private StoreException unable() {
        return limits().readOnly()
                ? new StoreException(Failure.ROFS, "the store is read only")
                : new StoreException(Failure.NOTSUPP, "the store cannot do this");
    }

    /** Ends the store and closes all files. No operation runs any more, and none may come. */
    @Override
    void close() throws IOException;
}
