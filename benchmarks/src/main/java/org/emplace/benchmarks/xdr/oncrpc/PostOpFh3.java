// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr.oncrpc;

import java.io.IOException;
import org.acplt.oncrpc.OncRpcException;
import org.acplt.oncrpc.XdrAble;
import org.acplt.oncrpc.XdrDecodingStream;
import org.acplt.oncrpc.XdrEncodingStream;
import org.jspecify.annotations.Nullable;

final class PostOpFh3 implements XdrAble {
    private boolean handleFollows;
    private @Nullable NfsFh3 handle;

    @Override
    public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
        out.xdrEncodeBoolean(handleFollows);
        if (handle != null) {
            handle.xdrEncode(out);
        }
    }

    @Override
    public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
        handleFollows = in.xdrDecodeBoolean();
        if (handleFollows) {
            handle = new NfsFh3();
            handle.xdrDecode(in);
        }
    }
}
