// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

import java.io.IOException;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.server.export.Export.ClientAccess;
import org.emplace.samples.nfs.server.export.Exports;
import org.emplace.samples.nfs.server.export.Exports.ExportedFile;
import org.emplace.samples.nfs.server.state.FileKey;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.Store.FoundFile;
import org.emplace.samples.nfs.server.store.Store.ReadableFile;
import org.emplace.samples.nfs.server.store.Store.Stability;
import org.emplace.samples.nfs.server.store.Store.WriteResult;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;

/**
 * A file that a call names, with the caller's rights.
 *
 * @param access the rights of the call's sender on the file's export
 */
public record AddressedFile(Exports exports, ExportedFile file, ClientAccess access) {
    /** This file. Throws ROFS if the caller may change nothing in its export. */
    public AddressedFile toChange() throws StoreException {
        if (isReadOnly()) {
            throw new StoreException(Failure.ROFS, file.export() + " is exported read-only");
        }
        return this;
    }

    public boolean isReadOnly() {
        return access.readOnly() || store().limits().readOnly();
    }

    /** The id of another file of the same export. Throws XDEV if that file is in another export. */
    public FileId beside(AddressedFile other) throws StoreException {
        if (other.file.export() != file.export()) {
            throw new StoreException(Failure.XDEV, "from " + file.export() + " to " + other.file.export());
        }
        return other.id();
    }

    public Store store() {
        return file.export().store();
    }

    public FileId id() {
        return file.file();
    }

    /** What identifies this file in the state. */
    public FileKey key() {
        return key(id());
    }

    /** What identifies another file of the same export in the state. */
    public FileKey key(FileId other) {
        return new FileKey(file.export().fileSystemId(), other);
    }

    public Caller caller() {
        return access.caller();
    }

    /** A name for an entry of this directory. Throws NAMETOOLONG if no file of the store can have it. */
    public FileName name(XdrString name) throws StoreException {
        return CallData.name(name, store().limits().longestName());
    }

    /** Like {@link #name(XdrString)}. */
    public FileName name(XdrOpaque name) throws StoreException {
        return CallData.name(name, store().limits().longestName());
    }

    /** Checks the offset of a READ. Throws INVAL. */
    public static void requireReadable(long offset) throws StoreException {
        if (offset < 0) {
            throw new StoreException(Failure.INVAL, "a read beyond the largest offset");
        }
    }

    /** Checks the offset of a WRITE. Throws FBIG. */
    public static void requireWritable(long offset, long length) throws StoreException {
        if (offset < 0 || offset > Long.MAX_VALUE - length) {
            throw new StoreException(Failure.FBIG, "a write beyond the largest offset");
        }
    }

    /**
     * Reads (READ).
     *
     * @param offset unsigned
     * @param count the most bytes; fewer if the file ends or the server reads no more at a time
     * @throws StoreException JUKEBOX if there is no memory
     */
    public BytesRead read(long offset, long count, ServerCall call) throws IOException {
        requireReadable(offset);
        try (ReadableFile open = store().read(caller(), id())) {
            int most = (int) Math.min(count, CallData.LARGEST_TRANSFER);
            Payload data = CallData.read(open, offset, most, call);
            FileAttributes now = open.attributes();
            // What is missing was not there when it was read. The file may have grown since.
            boolean end = data.length() < most || offset + data.length() >= now.size();
            return new BytesRead(data, end, now);
        }
    }

    /**
     * Writes (WRITE).
     *
     * @param offset unsigned
     */
    public WriteResult write(long offset, Payload data, Stability stability) throws IOException {
        requireWritable(offset, data.length());
        return toChange().store().write(caller(), id(), offset, data, stability);
    }

    /**
     * Copies bytes of this file to another one of the same export, fewer than wanted if those are many (COPY).
     *
     * @param offset unsigned
     * @param count unsigned; 0 for all from the offset on
     * @param most the most bytes to copy now
     * @throws StoreException INVAL if the file has not so many bytes, or the ranges overlap; XDEV
     */
    public WriteResult copy(long offset, AddressedFile target, long targetOffset, long count, int most)
            throws IOException {
        FileId to = beside(target.toChange());
        long size = store().file(id()).attributes().size();
        if (offset < 0 || offset > size || count < 0 || count > size - offset) {
            throw new StoreException(Failure.INVAL, "a copy of bytes that the file does not have");
        }
        long wanted = count == 0 ? size - offset : count;
        requireWritable(targetOffset, wanted);
        if (to.equals(id()) && offset < targetOffset + wanted && targetOffset < offset + wanted) {
            throw new StoreException(Failure.INVAL, "a copy within a file to bytes that are copied");
        }
        return store().copy(caller(), id(), offset, to, targetOffset, (int) Math.min(wanted, most));
    }

    /**
     * What READ has read.
     *
     * @param end whether no bytes follow
     */
    public record BytesRead(Payload data, boolean end, FileAttributes now) {}

    /** The handle of another file of the same export. */
    public XdrOpaque handle(FoundFile found) {
        return XdrOpaque.of(exports.handle(new ExportedFile(file.export(), found.id())));
    }
}
