// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

import java.io.IOException;
import java.util.Optional;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.WccData;
import org.emplace.samples.nfs.server.export.Export.ClientAccess;
import org.emplace.samples.nfs.server.export.Exports;
import org.emplace.samples.nfs.server.export.Exports.ExportedFile;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.Store.FoundFile;
import org.emplace.samples.nfs.server.store.Store.WeakCacheConsistency;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;

/**
 * A file that a call names, with the caller's rights.
 *
 * @param access the rights of the call's sender on the file's export
 */
record AddressedFile(Exports exports, ExportedFile file, ClientAccess access) {
    /** This file. Throws ROFS if the caller may change nothing in its export. */
    AddressedFile toChange() throws StoreException {
        if (isReadOnly()) {
            throw new StoreException(Failure.ROFS, file.export() + " is exported read-only");
        }
        return this;
    }

    boolean isReadOnly() {
        return access.readOnly() || store().limits().readOnly();
    }

    /** The id of another file of the same export. Throws XDEV if that file is in another export. */
    FileId beside(AddressedFile other) throws StoreException {
        if (other.file.export() != file.export()) {
            throw new StoreException(Failure.XDEV, "from " + file.export() + " to " + other.file.export());
        }
        return other.id();
    }

    Store store() {
        return file.export().store();
    }

    FileId id() {
        return file.file();
    }

    Caller caller() {
        return access.caller();
    }

    /** A name for an entry of this directory. Throws NAMETOOLONG if no file of the store can have it. */
    FileName name(XdrString name) throws StoreException {
        return FromWire.name(name, store().limits().longestName());
    }

    /** The file's current attributes. */
    Optional<Fattr3> now() throws IOException {
        return Optional.of(attributes(store().file(id()).attributes()));
    }

    /** The handle of another file of the same export. */
    NfsFh3 handle(FoundFile found) {
        return new NfsFh3(XdrOpaque.of(exports.handle(new ExportedFile(file.export(), found.id()))));
    }

    /** Attributes of a file of the same export. */
    Fattr3 attributes(FileAttributes attributes) {
        return ToWire.attributes(attributes, file.export().fileSystemId());
    }

    Optional<Fattr3> attributes(FoundFile found) {
        return Optional.of(attributes(found.attributes()));
    }

    /** Attributes of a file of the same export before and after an operation. */
    WccData change(WeakCacheConsistency change) {
        return ToWire.change(change, file.export().fileSystemId());
    }
}
