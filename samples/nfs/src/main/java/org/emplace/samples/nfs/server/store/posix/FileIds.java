// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileType;
import org.emplace.samples.nfs.server.store.Store.FoundFile;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;

/**
 * The ids of the files on one mounted file system: the kernel's file handles or, if the file system has none, inode number and birth time. Either
 * becomes invalid with the file, even if its inode is used again.
 */
record FileIds(boolean handles, int mount) {
    private static final byte BY_HANDLE = 1;
    private static final byte BY_BIRTH = 2;
    private static final int HEAD = 2 * Integer.BYTES;
    private static final int ROOM = 128;
    private static final int MOST = FileId.LONGEST - 2;
    /** The type of handles in which a generation stands before the number. */
    private static final int GENERATION_FIRST = 1;

    private static final int BIRTH_LENGTH = 1 + 2 * Long.BYTES + Integer.BYTES;

    /** The ids of files on the root's file system. */
    static FileIds of(Descriptor root) throws IOException {
        byte[] bytes = newHandle();
        int[] mount = new int[1];
        boolean handles = SystemCalls.handle(root.number(), bytes, mount) >= 0
                && view(bytes).getInt(0) <= MOST;
        if (!handles && root.status().born().isEmpty()) {
            throw new IOException("cannot export this file system: it has neither file handles nor birth times,"
                    + " so an id could refer to a new file after its file is removed");
        }
        return new FileIds(handles, mount[0]);
    }

    private static byte[] newHandle() {
        byte[] bytes = new byte[HEAD + ROOM];
        view(bytes).putInt(ROOM);
        return bytes;
    }

    private static ByteBuffer view(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    }

    /** Whether the kernel can open files by these ids, if the server has the right to. */
    boolean areHandles() {
        return handles;
    }

    /** The id of a descriptor's file. */
    FileId of(Descriptor file, FileStatus status) throws IOException {
        return handles ? ofHandle(file) : ofBirth(status);
    }

    private FileId ofHandle(Descriptor file) throws IOException {
        byte[] bytes = newHandle();
        int[] on = new int[1];
        Errno.check(SystemCalls.handle(file.number(), bytes, on), "making a file handle");
        return ofHandle(bytes, on[0]);
    }

    private FileId ofHandle(byte[] bytes, int on) throws IOException {
        ByteBuffer handle = view(bytes);
        int length = handle.getInt(0);
        if (on != mount) {
            throw new StoreException(Failure.ACCES, "on another file system than the root of the export");
        }
        if (length > MOST) {
            throw new IOException("a file handle of " + length + " bytes");
        }
        byte[] id = new byte[2 + length];
        id[0] = BY_HANDLE;
        id[1] = (byte) handle.getInt(Integer.BYTES);
        handle.get(HEAD, id, 2, length);
        return new FileId(id);
    }

    /**
     * The file of a directory's entry, found without opening it. Its handle and then its attributes are read by name, and meanwhile another file may get the
     * name. So the result is empty unless the handle holds the inode number of the attributes. Then either both are of one file, or the handle's file has been
     * removed and its inode used again, and nothing opens the handle any more. Also empty for a directory, on which a file system may be mounted meanwhile.
     */
    Optional<FoundFile> ofEntry(Descriptor directory, byte[] name) throws IOException {
        byte[] bytes = newHandle();
        int[] on = new int[1];
        if (!handles || SystemCalls.handle(directory.number(), name, bytes, on) < 0) {
            return Optional.empty();
        }
        FileId id = ofHandle(bytes, on[0]);
        FileStatus status = FileStatus.of(directory.number(), name);
        FileAttributes attributes = status.attributes();
        boolean same = attributes.type() != FileType.DIRECTORY
                && status.mount() == mount
                && holds(view(bytes), attributes.number());
        return same ? Optional.of(new FoundFile(id, attributes)) : Optional.empty();
    }

    /** Whether a handle holds an inode number, as far as its format is known: those of ext4, XFS, btrfs and tmpfs. */
    private static boolean holds(ByteBuffer handle, long number) {
        int length = handle.getInt(0);
        int type = handle.getInt(Integer.BYTES);
        if (length == 2 * Integer.BYTES) {
            // The number and a generation.
            return Integer.toUnsignedLong(handle.getInt(HEAD)) == number;
        }
        if (length == 3 * Integer.BYTES && type == GENERATION_FIRST) {
            // tmpfs: a generation, and the lower and the upper half of the number.
            long lower = Integer.toUnsignedLong(handle.getInt(HEAD + Integer.BYTES));
            return (lower | (long) handle.getInt(HEAD + 2 * Integer.BYTES) << Integer.SIZE) == number;
        }
        return handle.getLong(HEAD) == number;
    }

    private static FileId ofBirth(FileStatus status) throws IOException {
        var born = status.born().orElseThrow(() -> new IOException("a file without a birth time"));
        return new FileId(ByteBuffer.allocate(BIRTH_LENGTH)
                .put(BY_BIRTH)
                .putLong(status.attributes().number())
                .putLong(born.getEpochSecond())
                .putInt(born.getNano())
                .array());
    }

    /** @throws StoreException of BADHANDLE if it cannot be an id of this file system */
    void require(FileId id) throws StoreException {
        byte[] bytes = id.bytes();
        boolean possible = handles
                ? bytes.length > 2 && bytes[0] == BY_HANDLE
                : bytes.length == BIRTH_LENGTH && bytes[0] == BY_BIRTH;
        if (!possible) {
            throw new StoreException(Failure.BADHANDLE, "not a file id of this store: " + id);
        }
    }

    /** An id that {@link #require} accepts, as a {@code struct file_handle}. */
    static byte[] handle(FileId id) {
        byte[] bytes = id.bytes();
        byte[] value = Arrays.copyOfRange(bytes, 2, bytes.length);
        return ByteBuffer.allocate(HEAD + value.length)
                .order(ByteOrder.nativeOrder())
                .putInt(value.length)
                .putInt(bytes[1] & 0xff)
                .put(value)
                .array();
    }
}
