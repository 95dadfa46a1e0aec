// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr.oncrpc;

import java.io.IOException;
import org.acplt.oncrpc.OncRpcException;
import org.acplt.oncrpc.XdrAble;
import org.acplt.oncrpc.XdrDecodingStream;
import org.acplt.oncrpc.XdrEncodingStream;
import org.jspecify.annotations.Nullable;

final class PostOpAttr implements XdrAble {
    private boolean attributesFollow;
    private @Nullable Fattr3 attributes;

    @Override
    public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
        out.xdrEncodeBoolean(attributesFollow);
        if (attributes != null) {
            attributes.xdrEncode(out);
        }
    }

    @Override
    public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
        attributesFollow = in.xdrDecodeBoolean();
        if (attributesFollow) {
            attributes = new Fattr3();
            attributes.xdrDecode(in);
        }
    }
}
