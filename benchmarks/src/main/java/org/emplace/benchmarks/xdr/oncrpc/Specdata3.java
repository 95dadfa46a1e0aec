// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr.oncrpc;

import java.io.IOException;
import org.acplt.oncrpc.OncRpcException;
import org.acplt.oncrpc.XdrAble;
import org.acplt.oncrpc.XdrDecodingStream;
import org.acplt.oncrpc.XdrEncodingStream;

final class Specdata3 implements XdrAble {
    private int specdata1;
    private int specdata2;

    @Override
    public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
        out.xdrEncodeInt(specdata1);
        out.xdrEncodeInt(specdata2);
    }

    @Override
    public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
        specdata1 = in.xdrDecodeInt();
        specdata2 = in.xdrDecodeInt();
    }
}
