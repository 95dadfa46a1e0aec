// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr.oncrpc;

import java.io.IOException;
import org.acplt.oncrpc.OncRpcException;
import org.acplt.oncrpc.XdrAble;
import org.acplt.oncrpc.XdrDecodingStream;
import org.acplt.oncrpc.XdrEncodingStream;
import org.jspecify.annotations.Nullable;

/** A reply to GETATTR. */
public final class Getattr3Res implements XdrAble {
    private int status;
    private @Nullable Getattr3Resok resok;

    @Override
    public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
        out.xdrEncodeInt(status);
        if (resok != null) {
            resok.xdrEncode(out);
        }
    }

    @Override
    public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
        status = in.xdrDecodeInt();
        if (status == 0) {
            resok = new Getattr3Resok();
            resok.xdrDecode(in);
        }
    }
}
