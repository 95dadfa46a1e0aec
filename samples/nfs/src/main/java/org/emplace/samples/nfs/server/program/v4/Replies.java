// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v4;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.emplace.samples.nfs.protocol.v4.Compound4Args;
import org.emplace.samples.nfs.protocol.v4.Compound4Res;
import org.emplace.samples.nfs.protocol.v4.Illegal4Res;
import org.emplace.samples.nfs.protocol.v4.NfsArgop4;
import org.emplace.samples.nfs.protocol.v4.NfsResop4;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;

/** Replies that no operation has made, and replies that a session keeps. */
final class Replies {
    private Replies() {}

    /** A reply whose last operation fails, after others that have succeeded. */
    static Compound4Res refusal(Compound4Args args, Nfsstat4 status, NfsResop4... before) {
        List<NfsResop4> results = new ArrayList<>(List.of(before));
        results.add(refusal(args.argarray().get(before.length), status));
        return new Compound4Res(status, args.tag(), results);
    }

    /** The failure of an operation. An undefined operation has OP_ILLEGAL and a status of its own. */
    static NfsResop4 refusal(NfsArgop4 operation, Nfsstat4 status) {
        if (isIllegal(operation)) {
            return new NfsResop4.Illegal(new Illegal4Res(Nfsstat4.NFS4ERR_OP_ILLEGAL));
        }
        // All failures are encoded alike: the operation and the status. SETATTR's has an empty mask too.
        XdrEncoder out = XdrEncoder.onHeap();
        operation.argop().encode(out);
        status.encode(out);
        out.writeInt(0);
        try {
            return NfsResop4.decode(new XdrDecoder(out.finish().stream()));
        } catch (XdrException e) {
            throw new IllegalStateException("a failure of " + operation.argop(), e);
        }
    }

    static boolean isIllegal(NfsArgop4 operation) {
        return operation instanceof NfsArgop4.Illegal || operation instanceof NfsArgop4.Default;
    }

    /** A copy of a reply that stays valid after its call: XDR without framing, chunks or memory of a transport. */
    static byte[] kept(Compound4Res reply) {
        XdrEncoder out = XdrEncoder.onHeap();
        reply.encode(out);
        try {
            EncodedMessage message = out.finish();
            ByteBuffer copy = ByteBuffer.allocate(Math.toIntExact(message.unreducedLength()));
            message.unreduced().forEach(copy::put);
            return copy.array();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The reply that was kept, to be sent with the chunks of another call. */
    static Compound4Res again(byte[] kept) {
        try {
            return Compound4Res.decode(new XdrDecoder(ByteBuffer.wrap(kept)));
        } catch (XdrException e) {
            throw new IllegalStateException("a reply that was kept", e);
        }
    }
}
