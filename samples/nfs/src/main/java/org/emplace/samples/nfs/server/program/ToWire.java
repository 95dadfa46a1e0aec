// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Optional;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.Ftype3;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfstime3;
import org.emplace.samples.nfs.protocol.Specdata3;
import org.emplace.samples.nfs.protocol.WccAttr;
import org.emplace.samples.nfs.protocol.WccData;
import org.emplace.samples.nfs.server.export.Export;
import org.emplace.samples.nfs.server.export.FileAttributes;
import org.emplace.samples.nfs.server.export.Node;
import org.emplace.samples.nfs.server.export.WeakCacheAttributes;
import org.emplace.xdr.XdrOpaque;

/** How what an export tells looks in results. */
final class ToWire {
    private static final long SECONDS = 0xffffffffL;

    private final Export export;

    ToWire(Export export) {
        this.export = export;
    }

    NfsFh3 handle(Node node) {
        return new NfsFh3(XdrOpaque.of(export.handle(node).bytes()));
    }

    static XdrOpaque verifier(long verifier) {
        return XdrOpaque.copyOf(
                ByteBuffer.allocate(Long.BYTES).putLong(verifier).flip());
    }

    Fattr3 attributes(FileAttributes file) {
        return new Fattr3(
                Ftype3.of(file.type().number()),
                file.mode(),
                file.links(),
                file.uid(),
                file.gid(),
                file.size(),
                file.used(),
                new Specdata3(file.deviceMajor(), file.deviceMinor()),
                export.fileSystemId(file),
                file.key().inode(),
                time(file.accessed()),
                time(file.modified()),
                time(file.changed()));
    }

    Optional<Fattr3> attributes(Node node) {
        return Optional.of(attributes(node.attributes()));
    }

    /** Attributes beside a failure; there are none where these cannot be had either. */
    Optional<Fattr3> attributesNow(NfsFh3 handle) {
        try {
            return attributes(export.attributes().get(FromWire.handle(handle)));
        } catch (IOException alsoFailed) {
            return Optional.empty();
        }
    }

    /** What is known of a file beside the failure of an operation on it. */
    WccData unchanged(NfsFh3 handle) {
        return new WccData(Optional.empty(), attributesNow(handle));
    }

    WccData change(WeakCacheAttributes change) {
        return new WccData(
                change.before()
                        .map(before -> new WccAttr(before.size(), time(before.modified()), time(before.changed()))),
                change.after().map(this::attributes));
    }

    /** The protocol's seconds are 32 bits: times before 1970 and after 2106 come out wrong, as they do everywhere. */
    private static Nfstime3 time(FileTime time) {
        Instant instant = time.toInstant();
        return new Nfstime3(instant.getEpochSecond() & SECONDS, instant.getNano());
    }
}
