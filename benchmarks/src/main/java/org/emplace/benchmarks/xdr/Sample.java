// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.acplt.oncrpc.XdrAble;
import org.emplace.benchmarks.nfs3.Getattr3Res;
import org.emplace.benchmarks.nfs3.Readdirplus3Res;
import org.emplace.benchmarks.nfs40.Compound4Res;
import org.emplace.benchmarks.tree.Tree;
import org.emplace.benchmarks.xdr.oncrpc.Nfs3Messages;
import org.emplace.benchmarks.xdr.oncrpc.Nfs4Messages;
import org.emplace.benchmarks.xdr.oncrpc.SortedTree;
import org.emplace.xdr.XdrCodec.Reader;
import org.emplace.xdr.XdrValue;

/**
 * A message to measure, with the name of its type in each library.
 *
 * @param name for programs
 * @param title for tables
 * @param maker creates the encoded message
 * @param reader Emplace's reader
 * @param oncRpcType creates an empty object of {@code org.acplt:oncrpc}
 * @param protocol the file that defines the type, relative to the project's folder
 * @param xdrType the type's name in that file
 */
public record Sample(
        String name,
        String title,
        Supplier<byte[]> maker,
        Reader<? extends XdrValue> reader,
        Supplier<? extends XdrAble> oncRpcType,
        String protocol,
        String xdrType) {

    /** All samples. */
    public static final List<Sample> ALL = List.of(
            new Sample(
                    "getattr",
                    "GETATTR reply (NFSv3)",
                    SampleMessages::getattr,
                    Getattr3Res::decode,
                    Nfs3Messages.Getattr3Res::new,
                    "spec/nfs3.x",
                    "GETATTR3res"),
            new Sample(
                    "readdirplus",
                    "READDIRPLUS reply, 100 entries (NFSv3)",
                    SampleMessages::readdirplus,
                    Readdirplus3Res::decode,
                    Nfs3Messages.Readdirplus3Res::new,
                    "spec/nfs3.x",
                    "READDIRPLUS3res"),
            new Sample(
                    "compound",
                    "COMPOUND reply, 17 operations (NFSv4.0)",
                    SampleMessages::compound,
                    Compound4Res::decode,
                    Nfs4Messages.Compound4Res::new,
                    "spec/nfs40.x",
                    "COMPOUND4res"),
            new Sample(
                    "tree",
                    "tree of 255 nodes, 8 levels deep",
                    SampleMessages::tree,
                    Tree::decode,
                    SortedTree::new,
                    "benchmarks/src/main/xdr/tree.x",
                    "tree"));

    /** The sample of this name. */
    static Sample named(String name) {
        return ALL.stream()
                .filter(sample -> sample.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no sample is named " + name));
    }

    /** The encoded message. */
    public byte[] bytes() {
        return maker.get();
    }

    Codec emplace() throws IOException {
        return new EmplaceCodec(bytes(), reader);
    }

    Codec oncRpc() throws IOException {
        return new OncRpcCodec(bytes(), oncRpcType);
    }
}
