// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr;

import java.io.IOException;
import java.util.function.Supplier;
import org.acplt.oncrpc.XdrAble;
import org.emplace.benchmarks.nfs3.Readdirplus3Res;
import org.emplace.benchmarks.nfs40.Compound4Res;
import org.emplace.benchmarks.tree.Tree;
import org.emplace.xdr.XdrReader;
import org.emplace.xdr.XdrValue;

/** A message that is measured, with what each library calls its type. */
public enum Sample {
    READDIRPLUS(
            "READDIRPLUS reply, 100 entries (NFSv3)",
            SampleMessages::readdirplus,
            Readdirplus3Res::decode,
            org.emplace.benchmarks.xdr.oncrpc.Readdirplus3Res::new,
            "spec/nfs3.x",
            "READDIRPLUS3res"),
    COMPOUND(
            "COMPOUND reply, 17 operations (NFSv4.0)",
            SampleMessages::compound,
            Compound4Res::decode,
            org.emplace.benchmarks.xdr.oncrpc.Compound4Res::new,
            "spec/nfs40.x",
            "COMPOUND4res"),
    TREE(
            "tree of 255 nodes, 8 levels deep",
            SampleMessages::tree,
            Tree::decode,
            org.emplace.benchmarks.xdr.oncrpc.Tree::new,
            "benchmarks/src/main/xdr/tree.x",
            "tree");

    private final String title;
    private final Supplier<byte[]> bytes;
    private final XdrReader<? extends XdrValue> reader;
    private final Supplier<? extends XdrAble> oncRpcType;
    private final String protocol;
    private final String xdrType;

    Sample(
            String title,
            Supplier<byte[]> bytes,
            XdrReader<? extends XdrValue> reader,
            Supplier<? extends XdrAble> oncRpcType,
            String protocol,
            String xdrType) {
        this.title = title;
        this.bytes = bytes;
        this.reader = reader;
        this.oncRpcType = oncRpcType;
        this.protocol = protocol;
        this.xdrType = xdrType;
    }

    /** What tables call it. */
    public String title() {
        return title;
    }

    /** The message in XDR. */
    public byte[] bytes() {
        return bytes.get();
    }

    /** The file that defines it, from the project's folder on. */
    public String protocol() {
        return protocol;
    }

    /** Its type's name in that file. */
    public String xdrType() {
        return xdrType;
    }

    Codec emplace() throws IOException {
        return new EmplaceCodec(bytes(), reader);
    }

    Codec oncRpc() throws IOException {
        return new OncRpcCodec(bytes(), oncRpcType);
    }
}
