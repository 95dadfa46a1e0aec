// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr.oncrpc;

import java.io.IOException;
import org.acplt.oncrpc.OncRpcException;
import org.acplt.oncrpc.XdrAble;
import org.acplt.oncrpc.XdrDecodingStream;
import org.acplt.oncrpc.XdrEncodingStream;
import org.jspecify.annotations.Nullable;

/** A COMPOUND reply of NFS version 4.0. */
public final class Compound4Res implements XdrAble {
    private int status;
    private byte @Nullable [] tag;
    private NfsResop4[] resarray = {};

    @Override
    public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
        out.xdrEncodeInt(status);
        out.xdrEncodeDynamicOpaque(tag);
        out.xdrEncodeInt(resarray.length);
        for (NfsResop4 result : resarray) {
            result.xdrEncode(out);
        }
    }

    @Override
    public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
        status = in.xdrDecodeInt();
        tag = in.xdrDecodeDynamicOpaque();
        resarray = new NfsResop4[in.xdrDecodeInt()];
        for (int i = 0; i < resarray.length; i++) {
            resarray[i] = new NfsResop4();
            resarray[i].xdrDecode(in);
        }
    }
}
