// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr.oncrpc;

import java.io.IOException;
import org.acplt.oncrpc.OncRpcException;
import org.acplt.oncrpc.XdrAble;
import org.acplt.oncrpc.XdrDecodingStream;
import org.acplt.oncrpc.XdrEncodingStream;
import org.jspecify.annotations.Nullable;

final class Readdirplus3Resok implements XdrAble {
    private static final int COOKIE_VERIFIER = 8;

    private PostOpAttr dirAttributes = new PostOpAttr();
    private byte @Nullable [] cookieverf;
    private Dirlistplus3 reply = new Dirlistplus3();

    @Override
    public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
        dirAttributes.xdrEncode(out);
        out.xdrEncodeOpaque(cookieverf, COOKIE_VERIFIER);
        reply.xdrEncode(out);
    }

    @Override
    public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
        dirAttributes.xdrDecode(in);
        cookieverf = in.xdrDecodeOpaque(COOKIE_VERIFIER);
        reply.xdrDecode(in);
    }
}
