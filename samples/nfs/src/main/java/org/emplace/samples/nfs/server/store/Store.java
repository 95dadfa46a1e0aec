// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.OptionalLong;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.xdr.Payload;

/**
 * A tree of files that NFS can export. Its interface has file ids and names; paths and descriptors remain internal. Every operation is atomic as RFC
 * 1813 describes for the procedure named beside it, and never leaves the tree, even while clients and other programs change names. No operation opens
 * a FIFO, socket or device, or waits for anything but the file system.
 *
 * <p>A store implements the changes that it can make. The others fail: with {@link Failure#ROFS} if it is read only, else with {@link Failure#NOTSUPP}.
 *
 * <p>The caller is the identity that the export's options derive from the call's credential. A store that cannot act as different users ignores it
 * and says so in {@link Limits#actsAsCaller}.
 *
 * <p>All operations throw {@link StoreException} for failures that have a status in nfsstat3, such as {@link Failure#STALE} for the id of a removed
 * file and {@link Failure#BADHANDLE} for an id that this store cannot have made. Any other {@link IOException} becomes {@link Failure#IO}. Ids come
 * from clients, and the server has authenticated them: this store made them, perhaps before a restart. Safe for use by several threads.
 */
public interface Store extends AutoCloseable {

    /** The capabilities of the store, which never change (FSINFO, PATHCONF). */
    Limits limits();

    /** The space on the file system (FSSTAT). */
    Space space() throws IOException;

    /** The top of the tree. */
    FoundFile root() throws IOException;

    /** The file of an id in its current state (GETATTR). */
    FoundFile file(FileId file) throws IOException;

    /** The entry of a directory with a name; "." and ".." are entries. The root is its own parent (LOOKUP). */
    FoundFile lookup(Caller caller, FileId directory, FileName name) throws IOException;

    /**
     * The requested rights that the caller has, as a sum of the ACCESS3 bits of {@link AccessRights} (ACCESS). A hint for the client; every operation
     * checks rights itself.
     */
    AccessResult access(Caller caller, FileId file, int asked) throws IOException;

    /** The target of a symbolic link (READLINK). */
    byte[] readLink(FileId link) throws IOException;

    /** Opens a regular file for reading (READ). */
    ReadableFile read(Caller caller, FileId file) throws IOException;

    /**
     * Writes all of a payload at an offset (WRITE). The payload may still be in the client's memory; the store fetches it when it needs it.
     *
     * @param offset not negative; nor is its sum with the payload's length
     */
    default WriteResult write(Caller caller, FileId file, long offset, Payload data, Stability stability)
            throws IOException {
        throw unable();
    }

    /** Brings everything written to a file to stable storage (COMMIT). */
    default CommitResult commit(Caller caller, FileId file) throws IOException {
        throw unable();
    }

    /**
     * Copies bytes within the store, without sending them anywhere (COPY, RFC 7862 section 15.2). What a WRITE of them with {@link Stability#UNSTABLE}
     * does, happens to the second file.
     *
     * @param count the most bytes; the file that is read has them
     * @return how many bytes were copied, perhaps fewer
     */
    default WriteResult copy(Caller caller, FileId from, long fromOffset, FileId to, long toOffset, int count)
            throws IOException {
        throw unable();
    }

    /** Reserves space for a range of a file, on stable storage. Bytes that are added to the file are zeros (ALLOCATE, RFC 7862 section 15.1). */
    default WeakCacheConsistency allocate(Caller caller, FileId file, long offset, long length) throws IOException {
        throw unable();
    }

    /** Frees the space of a range of a file, on stable storage: its bytes are zeros then. The file stays as long as it is (DEALLOCATE, RFC 7862 section 15.4). */
    default WeakCacheConsistency deallocate(Caller caller, FileId file, long offset, long length) throws IOException {
        throw unable();
    }

    /**
     * Sets attributes (SETATTR).
     *
     * @param guard the change time that the file must have
     * @throws StoreException of NOT_SYNC if it has another
     */
    default WeakCacheConsistency setAttributes(
            Caller caller, FileId file, AttributeChange change, Optional<FileTime> guard) throws IOException {
        throw unable();
    }

    /** Creates a regular file (CREATE). */
    default CreationResult create(Caller caller, FileId directory, FileName name, Creation how) throws IOException {
        throw unable();
    }

    /** Creates a directory (MKDIR). */
    default CreationResult makeDirectory(Caller caller, FileId directory, FileName name, AttributeChange wanted)
            throws IOException {
        throw unable();
    }

    /** Creates a symbolic link (SYMLINK). Stores never follow it; its target has a meaning only for clients. */
    default CreationResult makeSymbolicLink(
            Caller caller, FileId directory, FileName name, byte[] target, AttributeChange wanted) throws IOException {
        throw unable();
    }

    /**
     * Creates a FIFO, socket or device (MKNOD).
     *
     * @param device the number of a device as Linux encodes it; 0 for other files
     */
    default CreationResult makeNode(
            Caller caller, FileId directory, FileName name, FileType type, long device, AttributeChange wanted)
            throws IOException {
        throw unable();
    }

    /** Gives a file that is not a directory a further name (LINK). */
    default CreationResult link(Caller caller, FileId file, FileId directory, FileName name) throws IOException {
        throw unable();
    }

    /** Removes a name of a file that is not a directory (REMOVE). */
    default WeakCacheConsistency remove(Caller caller, FileId directory, FileName name) throws IOException {
        throw unable();
    }

    /** Removes an empty directory (RMDIR). */
    default WeakCacheConsistency removeDirectory(Caller caller, FileId directory, FileName name) throws IOException {
        throw unable();
    }

    /** Renames a file. If the new name exists, its file must have the same type, and is replaced (RENAME). */
    default RenameResult rename(
            Caller caller, FileId fromDirectory, FileName oldName, FileId toDirectory, FileName newName)
            throws IOException {
        throw unable();
    }

    /**
     * Lists a directory from the entry after a cookie, "." and ".." first (READDIR, READDIRPLUS). The cost is proportional to the entries visited,
     * however large the directory is. An entry that exists from the first call to the last is visited exactly once, whatever else changes.
     *
     * @param cookie of the last visited entry; 0 for the start
     * @param verifier that the listing with this cookie returned
     * @param withFiles whether the visitor needs {@link DirectoryEntry#file}
     * @throws StoreException of BAD_COOKIE if the listing cannot continue there
     */
    ListingResult list(
            Caller caller, FileId directory, long cookie, long verifier, boolean withFiles, EntryVisitor visitor)
            throws IOException;

    private StoreException unable() {
        return limits().readOnly()
                ? new StoreException(Failure.ROFS, "the store is read only")
                : new StoreException(Failure.NOTSUPP, "the store cannot do this");
    }

    /** Closes the store and all files. No operation may be running, and none may follow. */
    @Override
    void close() throws IOException;

    /** A file as an operation found it. */
    record FoundFile(FileId id, FileAttributes attributes) {}

    /**
     * The space of a file system.
     *
     * @param total bytes
     * @param free unused bytes
     * @param available bytes of these that the server's users may use
     * @param totalFiles the most files that it can hold; 0 if unknown
     * @param freeFiles the number of files that could be added; 0 if unknown
     */
    record Space(long total, long free, long available, long totalFiles, long freeFiles) {}

    /**
     * The rights of a caller on a file.
     *
     * @param rights a sum of the bits of {@link AccessRights}
     */
    record AccessResult(FileAttributes file, int rights) {}

    /**
     * The result of a WRITE.
     *
     * @param count bytes written; fewer than given if there was no space for more
     * @param stability how the data was committed: as requested, or more safely
     * @param verifier changes after data that was written unstably may have been lost
     */
    record WriteResult(int count, Stability stability, long verifier, WeakCacheConsistency change) {}

    /**
     * The result of a COMMIT.
     *
     * @param verifier that of {@link WriteResult}
     */
    record CommitResult(long verifier, WeakCacheConsistency change) {}

    /** A file with a new name, and the directory's attributes before and after. */
    record CreationResult(FoundFile file, WeakCacheConsistency directory) {
        public FileId id() {
            return file.id();
        }
    }

    /** The attributes of the two directories before and after a RENAME. */
    record RenameResult(WeakCacheConsistency from, WeakCacheConsistency to) {}

    /**
     * The result of a listing.
     *
     * @param verifier the verifier that belongs to its cookies
     * @param end whether no entry follows those that the visitor accepted
     */
    record ListingResult(FileAttributes directory, long verifier, boolean end) {}

    /**
     * An entry of a directory.
     *
     * @param number the file's number (fileid)
     * @param cookie the position after the entry, where a listing continues; positive
     * @param file empty if it was not requested, or if the caller may read the directory but not search it; a store may leave it out for ".."
     */
    record DirectoryEntry(FileName name, long number, long cookie, Optional<FoundFile> file) {}

    /** Receives the entries of a directory in order. */
    @FunctionalInterface
    interface EntryVisitor {
        /** Accepts an entry. Returns false if there is no room for it. */
        boolean take(DirectoryEntry entry);
    }

    /** What has to be on stable storage before a WRITE is answered (stable_how, RFC 1813 section 3.3.7). */
    enum Stability {
        UNSTABLE,
        DATA_SYNC,
        FILE_SYNC
    }

    /** The rights of ACCESS (RFC 1813 section 3.3.4). */
    final class AccessRights {
        public static final int READ = 0x01;
        public static final int LOOKUP = 0x02;
        public static final int MODIFY = 0x04;
        public static final int EXTEND = 0x08;
        public static final int DELETE = 0x10;
        public static final int EXECUTE = 0x20;

        private AccessRights() {}
    }

    /**
     * A file's attributes before and after an operation (wcc_data, RFC 1813 section 2.6). No other client's operation came between the two.
     *
     * @param before empty if that cannot be guaranteed
     * @param after empty if the file no longer exists
     */
    record WeakCacheConsistency(Optional<FileAttributes> before, Optional<FileAttributes> after) {
        public static final WeakCacheConsistency UNKNOWN = new WeakCacheConsistency(Optional.empty(), Optional.empty());
    }

    /**
     * The capabilities of a store (FSINFO and PATHCONF, RFC 1813 sections 3.3.19 and 3.3.20).
     *
     * @param lasting whether ids survive a restart; if not, a restart makes handles stale
     * @param actsAsCaller whether operations have the caller's rights; if not, they have those of the server's user
     * @param hardLinks whether LINK is supported
     * @param symbolicLinks whether SYMLINK and READLINK are supported
     * @param setsTimes whether SETATTR can set times
     * @param readOnly whether nothing can be changed
     * @param mostLinks the most names of a file
     * @param longestName the most bytes of a name
     * @param largestFile the most bytes of a file
     */
    record Limits(
            boolean lasting,
            boolean actsAsCaller,
            boolean hardLinks,
            boolean symbolicLinks,
            boolean setsTimes,
            boolean readOnly,
            long mostLinks,
            int longestName,
            long largestFile) {}

    /** A regular file that is open for reading. Used by one call, which closes it. */
    interface ReadableFile extends AutoCloseable {

        /**
         * Reads bytes at an offset until the buffer is full or the file ends.
         *
         * @param offset not negative
         * @return bytes read; fewer than the buffer has room for only at the end of the file
         */
        int read(ByteBuffer destination, long offset) throws IOException;

        /** A channel of the file, if the store has its bytes in a file of this machine. Do not use or change the channel's own position. */
        Optional<FileChannel> channel();

        /**
         * The offset of the first byte from another one on that is in a hole, or in none (SEEK, RFC 7862 section 15.11). Empty if there is none.
         *
         * @param offset less than the size
         */
        default OptionalLong seek(long offset, boolean hole) throws IOException {
            throw new StoreException(Failure.NOTSUPP, "the store knows no holes");
        }

        /** The file's attributes at some moment since it was opened. */
        FileAttributes attributes() throws IOException;

        @Override
        void close() throws IOException;
    }

    /** An operation on files. */
    @FunctionalInterface
    interface FileOperation<T> {
        T run() throws IOException;
    }

    /** When changes of names and attributes are on stable storage. */
    enum Durability {
        /** Before the reply, as RFC 1813 section 4.8 requires. */
        SYNCHRONOUS,
        /** Some seconds later, when the operating system writes them: a crash of the machine, but not of the server, may lose them. */
        DEFERRED
    }

    /**
     * The write verifier, by which clients notice that data which they wrote unstably may be lost and must be sent again. It differs for each start of
     * the server, and changes if data could not be brought to stable storage. Safe for use by several threads.
     */
    final class WriteVerifier {
        private final SecureRandom random = new SecureRandom();
        private volatile long value = random.nextLong();

        /** The current value. Read it before data is written, so that a loss after that changes the value. */
        public long value() {
            return value;
        }

        /** Changes the value, because data that was written unstably may be lost. */
        public void dataLost() {
            value = random.nextLong();
        }
    }
}
