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
    private @Nullable Fattr3 nameAttributes;
    private byte @Nullable [] nameHandle;
    private @Nullable Entryplus3 nextentry;

    @Override
    public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
        for (Entryplus3 entry = this; entry != null; entry = entry.nextentry) {
            out.xdrEncodeLong(entry.fileid);
            out.xdrEncodeString(entry.name);
            out.xdrEncodeLong(entry.cookie);
            out.xdrEncodeBoolean(entry.nameAttributes != null);
            if (entry.nameAttributes != null) {
                entry.nameAttributes.xdrEncode(out);
            }
            out.xdrEncodeBoolean(entry.nameHandle != null);
            if (entry.nameHandle != null) {
                out.xdrEncodeDynamicOpaque(entry.nameHandle);
            }
            out.xdrEncodeBoolean(entry.nextentry != null);
        }
    }

    @Override
    public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
        for (Entryplus3 entry = this; entry != null; entry = entry.nextentry) {
            entry.fileid = in.xdrDecodeLong();
            entry.name = in.xdrDecodeString();
            entry.cookie = in.xdrDecodeLong();
            if (in.xdrDecodeBoolean()) {
                entry.nameAttributes = new Fattr3();
                entry.nameAttributes.xdrDecode(in);
            }
            if (in.xdrDecodeBoolean()) {
                entry.nameHandle = in.xdrDecodeDynamicOpaque();
            }
            entry.nextentry = in.xdrDecodeBoolean() ? new Entryplus3() : null;
        }
    }
}
