// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr.oncrpc;

import java.io.IOException;
import org.acplt.oncrpc.OncRpcException;
import org.acplt.oncrpc.XdrAble;
import org.acplt.oncrpc.XdrDecodingStream;
import org.acplt.oncrpc.XdrEncodingStream;
import org.jspecify.annotations.Nullable;

final class Dirlistplus3 implements XdrAble {
    private @Nullable Entryplus3 entries;
    private boolean eof;

    @Override
    public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
        out.xdrEncodeBoolean(entries != null);
        if (entries != null) {
            entries.xdrEncode(out);
        }
        out.xdrEncodeBoolean(eof);
    }

    @Override
    public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
        if (in.xdrDecodeBoolean()) {
            entries = new Entryplus3();
            entries.xdrDecode(in);
        }
        eof = in.xdrDecodeBoolean();
    }
}
