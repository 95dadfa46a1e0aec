// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v3;

import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import org.emplace.samples.nfs.protocol.Ftype3;
import org.emplace.samples.nfs.protocol.Nfstime3;
import org.emplace.samples.nfs.protocol.Sattr3;
import org.emplace.samples.nfs.protocol.SetAtime;
import org.emplace.samples.nfs.protocol.SetMtime;
import org.emplace.samples.nfs.protocol.TimeHow;
import org.emplace.samples.nfs.server.store.AttributeChange;
import org.emplace.samples.nfs.server.store.AttributeChange.NewTime;
import org.emplace.samples.nfs.server.store.FileType;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.xdr.XdrOpaque;

/** Converts protocol types to those of exports and stores. */
final class FromWire {
    private static final long NANOSECONDS = 1_000_000_000L;
    private static final int MODE_BITS = 07777;

    private FromWire() {}

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
