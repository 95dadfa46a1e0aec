// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.emplace.rpc.ServerCall;
import org.emplace.rpc.auth.AuthSys;
import org.emplace.samples.nfs.protocol.Ftype3;
import org.emplace.samples.nfs.protocol.Nfstime3;
import org.emplace.samples.nfs.protocol.Sattr3;
import org.emplace.samples.nfs.protocol.SetAtime;
import org.emplace.samples.nfs.protocol.SetMtime;
import org.emplace.samples.nfs.protocol.TimeHow;
import org.emplace.samples.nfs.server.export.Export.CallOrigin;
import org.emplace.samples.nfs.server.store.AttributeChange;
import org.emplace.samples.nfs.server.store.AttributeChange.NewTime;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.FileType;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;

/** Converts protocol types to those of exports and stores. */
final class FromWire {
    private static final long NANOSECONDS = 1_000_000_000L;
    private static final int MODE_BITS = 07777;

    /** Linux allows no longer paths, and neither does any store. */
    private static final int LONGEST_TARGET = 4096;

    private FromWire() {}

    static CallOrigin origin(ServerCall call) {
        Optional<Caller> claimed = call.caller() instanceof AuthSys sys
                ? Optional.of(new Caller(
                        sys.uid(), sys.gid(), sys.gids().stream().boxed().collect(Collectors.toUnmodifiableSet())))
                : Optional.empty();
        return new CallOrigin(call.connection().remoteAddress(), claimed);
    }

    /**
     * A name, which is copied only if it is not too long.
     *
     * @param longest the most bytes of a name
     */
    static FileName name(XdrString name, int longest) throws StoreException {
        if (name.length() > longest) {
            throw new StoreException(
                    Failure.NAMETOOLONG, "a file name of " + name.length() + " bytes; at most " + longest);
        }
        return new FileName(name.bytes());
    }

    static FileType type(Ftype3 type) throws StoreException {
        return Arrays.stream(FileType.values())
                .filter(each -> each.number() == type.value())
                .findFirst()
                .orElseThrow(() -> new StoreException(Failure.BADTYPE, "a node of type " + type));
    }

    /** The eight bytes of a verifier. */
    static long verifier(XdrOpaque verifier) {
        return verifier.asReadOnlyBuffer().getLong();
    }

    /** A copy of a symbolic link's target that stays valid after the call. It is fetched and copied only if it is not too long. */
    static byte[] target(Payload payload) throws IOException {
        if (payload.length() > LONGEST_TARGET) {
            throw new StoreException(
                    Failure.NAMETOOLONG, "a target of " + payload.length() + " bytes; at most " + LONGEST_TARGET);
        }
        ByteBuffer buffer = payload.buffer();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    static FileTime time(Nfstime3 time) throws StoreException {
        if (time.nseconds() >= NANOSECONDS) {
            throw new StoreException(Failure.INVAL, "a time with " + time.nseconds() + " nanoseconds");
        }
        return FileTime.from(Instant.ofEpochSecond(time.seconds(), time.nseconds()));
    }

    static AttributeChange change(Sattr3 wanted) throws StoreException {
        if (wanted.size().isPresent() && wanted.size().getAsLong() < 0) {
            throw new StoreException(Failure.FBIG, "a size beyond the largest");
        }
        NewTime accessed = wanted.atime() instanceof SetAtime.SetToClientTime given
                ? new NewTime.Given(time(given.atime()))
                : withoutTime(wanted.atime().setIt());
        NewTime modified = wanted.mtime() instanceof SetMtime.SetToClientTime given
                ? new NewTime.Given(time(given.mtime()))
                : withoutTime(wanted.mtime().setIt());
        return new AttributeChange(
                wanted.mode().stream().mapToObj(mode -> (int) mode & MODE_BITS).findFirst(),
                wanted.uid().stream().boxed().findFirst(),
                wanted.gid().stream().boxed().findFirst(),
                wanted.size().stream().boxed().findFirst(),
                accessed,
                modified);
    }

    private static NewTime withoutTime(TimeHow how) {
        return how == TimeHow.SET_TO_SERVER_TIME ? new NewTime.ServersNow() : new NewTime.Kept();
    }
}
