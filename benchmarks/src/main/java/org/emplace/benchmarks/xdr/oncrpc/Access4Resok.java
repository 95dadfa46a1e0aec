// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr.oncrpc;

import java.io.IOException;
import org.acplt.oncrpc.OncRpcException;
import org.acplt.oncrpc.XdrAble;
import org.acplt.oncrpc.XdrDecodingStream;
import org.acplt.oncrpc.XdrEncodingStream;

final class Access4Resok implements XdrAble {
    private int supported;
    private int access;

    @Override
    public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
        out.xdrEncodeInt(supported);
        out.xdrEncodeInt(access);
    }

    @Override
    public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
        supported = in.xdrDecodeInt();
        access = in.xdrDecodeInt();
    }
}
