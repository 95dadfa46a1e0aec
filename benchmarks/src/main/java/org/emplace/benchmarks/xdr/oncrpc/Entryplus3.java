// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr.oncrpc;

import java.io.IOException;
import org.acplt.oncrpc.OncRpcException;
import org.acplt.oncrpc.XdrAble;
import org.acplt.oncrpc.XdrDecodingStream;
import org.acplt.oncrpc.XdrEncodingStream;
import org.jspecify.annotations.Nullable;

/** An entry and those after it, coded by a loop: a recursion would overflow the stack where a directory is large. */
final class Entryplus3 implements XdrAble {
    private long fileid;
    private String name = "";
    private long cookie;
    private PostOpAttr nameAttributes = new PostOpAttr();
    private PostOpFh3 nameHandle = new PostOpFh3();
    private @Nullable Entryplus3 nextentry;

    @Override
    public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
        for (Entryplus3 entry = this; entry != null; entry = entry.nextentry) {
            out.xdrEncodeLong(entry.fileid);
            out.xdrEncodeString(entry.name);
            out.xdrEncodeLong(entry.cookie);
            entry.nameAttributes.xdrEncode(out);
            entry.nameHandle.xdrEncode(out);
            out.xdrEncodeBoolean(entry.nextentry != null);
        }
    }

    @Override
    public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
        for (Entryplus3 entry = this; entry != null; entry = entry.nextentry) {
            entry.fileid = in.xdrDecodeLong();
            entry.name = in.xdrDecodeString();
            entry.cookie = in.xdrDecodeLong();
            entry.nameAttributes.xdrDecode(in);
            entry.nameHandle.xdrDecode(in);
            entry.nextentry = in.xdrDecodeBoolean() ? new Entryplus3() : null;
        }
    }
}
