// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr.oncrpc;

import java.io.IOException;
import org.acplt.oncrpc.OncRpcException;
import org.acplt.oncrpc.XdrAble;
import org.acplt.oncrpc.XdrDecodingStream;
import org.acplt.oncrpc.XdrEncodingStream;
import org.jspecify.annotations.Nullable;

final class Fattr4 implements XdrAble {
    private int @Nullable [] attrmask;
    private byte @Nullable [] attrVals;

    @Override
    public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
        out.xdrEncodeIntVector(attrmask);
        out.xdrEncodeDynamicOpaque(attrVals);
    }

    @Override
    public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
        attrmask = in.xdrDecodeIntVector();
        attrVals = in.xdrDecodeDynamicOpaque();
    }
}
