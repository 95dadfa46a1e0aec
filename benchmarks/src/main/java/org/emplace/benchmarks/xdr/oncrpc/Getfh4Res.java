// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr.oncrpc;

import java.io.IOException;
import org.acplt.oncrpc.OncRpcException;
import org.acplt.oncrpc.XdrAble;
import org.acplt.oncrpc.XdrDecodingStream;
import org.acplt.oncrpc.XdrEncodingStream;
import org.jspecify.annotations.Nullable;

final class Getfh4Res implements XdrAble {
    private int status;
    private @Nullable Getfh4Resok resok4;

    @Override
    public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
        out.xdrEncodeInt(status);
        if (resok4 != null) {
            resok4.xdrEncode(out);
        }
    }

    @Override
    public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
        status = in.xdrDecodeInt();
        if (status == 0) {
            resok4 = new Getfh4Resok();
            resok4.xdrDecode(in);
        }
    }
}
