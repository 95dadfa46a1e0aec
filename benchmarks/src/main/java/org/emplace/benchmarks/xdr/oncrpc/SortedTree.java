// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr.oncrpc;

import java.io.IOException;
import org.acplt.oncrpc.OncRpcException;
import org.acplt.oncrpc.XdrAble;
import org.acplt.oncrpc.XdrDecodingStream;
import org.acplt.oncrpc.XdrEncodingStream;
import org.jspecify.annotations.Nullable;

/** A sorted tree. */
public final class SortedTree implements XdrAble {
    private long key;
    private String name = "";
    private @Nullable SortedTree smaller;
    private @Nullable SortedTree larger;

    @Override
    public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
        out.xdrEncodeLong(key);
        out.xdrEncodeString(name);
        encode(smaller, out);
        encode(larger, out);
    }

    private static void encode(@Nullable SortedTree tree, XdrEncodingStream out) throws OncRpcException, IOException {
        out.xdrEncodeBoolean(tree != null);
        if (tree != null) {
            tree.xdrEncode(out);
        }
    }

    @Override
    public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
        key = in.xdrDecodeLong();
        name = in.xdrDecodeString();
        smaller = decode(in);
        larger = decode(in);
    }

    private static @Nullable SortedTree decode(XdrDecodingStream in) throws OncRpcException, IOException {
        if (!in.xdrDecodeBoolean()) {
            return null;
        }
        SortedTree tree = new SortedTree();
        tree.xdrDecode(in);
        return tree;
    }
}
