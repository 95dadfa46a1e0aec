// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v3;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Optional;
import org.emplace.samples.nfs.protocol.Cookieverf3;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.Ftype3;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfstime3;
import org.emplace.samples.nfs.protocol.Specdata3;
import org.emplace.samples.nfs.protocol.WccAttr;
import org.emplace.samples.nfs.protocol.WccData;
import org.emplace.samples.nfs.protocol.Writeverf3;
import org.emplace.samples.nfs.server.program.AddressedFile;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.Store.FoundFile;
import org.emplace.samples.nfs.server.store.Store.WeakCacheConsistency;
import org.emplace.xdr.XdrOpaque;

/** Converts a store's answers to protocol types. */
final class ToWire {
    private static final long SECONDS = 0xffffffffL;

    private ToWire() {}

    static Cookieverf3 cookieVerifier(long verifier) {
        return new Cookieverf3(verifier(verifier));
    }

    static Writeverf3 writeVerifier(long verifier) {
        return new Writeverf3(verifier(verifier));
    }

    private static XdrOpaque verifier(long verifier) {
        return XdrOpaque.copyOf(
                ByteBuffer.allocate(Long.BYTES).putLong(verifier).flip());
    }

    /** The current attributes of a file. */
    static Optional<Fattr3> attributesNow(AddressedFile file) throws IOException {
        return attributes(file, file.store().file(file.id()));
    }

    /** The attributes of a file of the same export. */
    static Optional<Fattr3> attributes(AddressedFile file, FoundFile found) {
        return Optional.of(attributes(file, found.attributes()));
    }

    /** The handle of a file of the same export. */
    static NfsFh3 handle(AddressedFile file, FoundFile found) {
        return new NfsFh3(file.handle(found));
    }

    /** Attributes of a file of the same export. */
    static Fattr3 attributes(AddressedFile file, FileAttributes attributes) {
        return attributes(attributes, file.file().export().fileSystemId());
    }

    /** Attributes of a file of the same export before and after an operation. */
    static WccData change(AddressedFile file, WeakCacheConsistency change) {
        return change(change, file.file().export().fileSystemId());
    }

    private static Fattr3 attributes(FileAttributes file, long fileSystemId) {
        return new Fattr3(
                Ftype3.of(file.type().number()),
                file.mode(),
                file.links(),
                file.uid(),
                file.gid(),
                file.size(),
                file.used(),
                new Specdata3(file.deviceMajor(), file.deviceMinor()),
                fileSystemId,
                file.number(),
                time(file.accessed()),
                time(file.modified()),
                time(file.changed()));
    }

    private static WccData change(WeakCacheConsistency change, long fileSystemId) {
        return new WccData(
                change.before()
                        .map(before -> new WccAttr(before.size(), time(before.modified()), time(before.changed()))),
                change.after().map(after -> attributes(after, fileSystemId)));
    }

    /** The protocol's seconds have 32 bits, so times before 1970 and after 2106 wrap. */
    private static Nfstime3 time(FileTime time) {
        Instant instant = time.toInstant();
        return new Nfstime3(instant.getEpochSecond() & SECONDS, instant.getNano());
    }
}
