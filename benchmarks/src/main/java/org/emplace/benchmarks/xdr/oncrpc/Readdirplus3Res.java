// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr.oncrpc;

import java.io.IOException;
import org.acplt.oncrpc.OncRpcException;
import org.acplt.oncrpc.XdrAble;
import org.acplt.oncrpc.XdrDecodingStream;
import org.acplt.oncrpc.XdrEncodingStream;
import org.jspecify.annotations.Nullable;

/** A READDIRPLUS reply of NFS version 3; of the union only the arm of success. */
public final class Readdirplus3Res implements XdrAble {
    private static final int COOKIE_VERIFIER = 8;

    private int status;
    private @Nullable Fattr3 dirAttributes;
    private byte[] cookieverf = {};
    private @Nullable Entryplus3 entries;
    private boolean eof;

    @Override
    public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
        out.xdrEncodeInt(status);
        out.xdrEncodeBoolean(dirAttributes != null);
        if (dirAttributes != null) {
            dirAttributes.xdrEncode(out);
        }
        out.xdrEncodeOpaque(cookieverf, COOKIE_VERIFIER);
        out.xdrEncodeBoolean(entries != null);
        if (entries != null) {
            entries.xdrEncode(out);
        }
        out.xdrEncodeBoolean(eof);
    }

    @Override
    public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
        status = in.xdrDecodeInt();
        if (status != 0) {
            throw new IOException("the sample has status " + status);
        }
        if (in.xdrDecodeBoolean()) {
            dirAttributes = new Fattr3();
            dirAttributes.xdrDecode(in);
        }
        cookieverf = in.xdrDecodeOpaque(COOKIE_VERIFIER);
        if (in.xdrDecodeBoolean()) {
            entries = new Entryplus3();
            entries.xdrDecode(in);
        }
        eof = in.xdrDecodeBoolean();
    }
}
