// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr.oncrpc;

import java.io.IOException;
import org.acplt.oncrpc.OncRpcException;
import org.acplt.oncrpc.XdrAble;
import org.acplt.oncrpc.XdrDecodingStream;
import org.acplt.oncrpc.XdrEncodingStream;

final class Getattr3Resok implements XdrAble {
    private final Fattr3 objAttributes = new Fattr3();

    @Override
    public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
        objAttributes.xdrEncode(out);
    }

    @Override
    public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
        objAttributes.xdrDecode(in);
    }
}
