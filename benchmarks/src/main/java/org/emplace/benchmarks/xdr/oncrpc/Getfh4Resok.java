// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr.oncrpc;

import java.io.IOException;
import org.acplt.oncrpc.OncRpcException;
import org.acplt.oncrpc.XdrAble;
import org.acplt.oncrpc.XdrDecodingStream;
import org.acplt.oncrpc.XdrEncodingStream;
import org.jspecify.annotations.Nullable;

final class Getfh4Resok implements XdrAble {
    private byte @Nullable [] object;

    @Override
    public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
        out.xdrEncodeDynamicOpaque(object);
    }

    @Override
    public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
        object = in.xdrDecodeDynamicOpaque();
    }
}
