// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Set;
import org.emplace.rpc.Credential;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfstime3;
import org.emplace.samples.nfs.protocol.Sattr3;
import org.emplace.samples.nfs.protocol.SetAtime;
import org.emplace.samples.nfs.protocol.SetMtime;
import org.emplace.samples.nfs.protocol.TimeHow;
import org.emplace.samples.nfs.server.export.AttributeChange;
import org.emplace.samples.nfs.server.export.AttributeChange.NewTime;
import org.emplace.samples.nfs.server.export.Caller;
import org.emplace.samples.nfs.server.export.ExportException;
import org.emplace.samples.nfs.server.export.Failure;
import org.emplace.samples.nfs.server.export.FileName;
import org.emplace.samples.nfs.server.handle.FileHandle;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;

/** What arguments mean to an export. */
final class FromWire {
    private static final long NANOSECONDS = 1_000_000_000L;
    private static final int MODE_BITS = 07777;

    private FromWire() {}

    static Caller caller(ServerCall call) {
        return call.credential() instanceof Credential.Sys sys
                ? new Caller(sys.uid(), sys.gid(), Set.copyOf(sys.gids()))
                : Caller.NOBODY;
    }

    static FileHandle handle(NfsFh3 handle) {
        return new FileHandle(handle.data().bytes());
    }

    static FileName name(XdrString name) {
        return new FileName(name.bytes());
    }

    /** The eight bytes of a verifier. */
    static long verifier(XdrOpaque verifier) {
        return verifier.asReadOnlyBuffer().getLong();
    }

    /** A copy of a payload that outlives the call. */
    static byte[] bytes(Payload payload) throws IOException {
        ByteBuffer buffer = payload.buffer();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    static FileTime time(Nfstime3 time) throws ExportException {
        if (time.nseconds() >= NANOSECONDS) {
            throw new ExportException(Failure.INVAL, "a time with " + time.nseconds() + " nanoseconds");
        }
        return FileTime.from(Instant.ofEpochSecond(time.seconds(), time.nseconds()));
    }

    static AttributeChange change(Sattr3 wanted) throws ExportException {
        NewTime accessed = wanted.atime() instanceof SetAtime.Atime given
                ? new NewTime.Given(time(given.atime()))
                : withoutTime(wanted.atime().setIt());
        NewTime modified = wanted.mtime() instanceof SetMtime.Mtime given
                ? new NewTime.Given(time(given.mtime()))
                : withoutTime(wanted.mtime().setIt());
        return new AttributeChange(
                wanted.mode().map(mode -> mode.intValue() & MODE_BITS),
                wanted.uid(),
                wanted.gid(),
                wanted.size(),
                accessed,
                modified);
    }

    private static NewTime withoutTime(TimeHow how) {
        return how == TimeHow.SET_TO_SERVER_TIME ? new NewTime.ServersNow() : new NewTime.Kept();
    }
}
