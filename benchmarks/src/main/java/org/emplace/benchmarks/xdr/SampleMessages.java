// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.benchmarks.nfs3.Cookieverf3;
import org.emplace.benchmarks.nfs3.Dirlistplus3;
import org.emplace.benchmarks.nfs3.Entryplus3;
import org.emplace.benchmarks.nfs3.Fattr3;
import org.emplace.benchmarks.nfs3.Ftype3;
import org.emplace.benchmarks.nfs3.Getattr3Res;
import org.emplace.benchmarks.nfs3.Getattr3Resok;
import org.emplace.benchmarks.nfs3.NfsFh3;
import org.emplace.benchmarks.nfs3.Nfstime3;
import org.emplace.benchmarks.nfs3.Readdirplus3Res;
import org.emplace.benchmarks.nfs3.Readdirplus3Resok;
import org.emplace.benchmarks.nfs3.Specdata3;
import org.emplace.benchmarks.nfs40.Access4Res;
import org.emplace.benchmarks.nfs40.Access4Resok;
import org.emplace.benchmarks.nfs40.Bitmap4;
import org.emplace.benchmarks.nfs40.Compound4Res;
import org.emplace.benchmarks.nfs40.Fattr4;
import org.emplace.benchmarks.nfs40.Getattr4Res;
import org.emplace.benchmarks.nfs40.Getattr4Resok;
import org.emplace.benchmarks.nfs40.Getfh4Res;
import org.emplace.benchmarks.nfs40.Getfh4Resok;
import org.emplace.benchmarks.nfs40.Lookup4Res;
import org.emplace.benchmarks.nfs40.NfsFh4;
import org.emplace.benchmarks.nfs40.NfsResop4;
import org.emplace.benchmarks.nfs40.Nfsstat4;
import org.emplace.benchmarks.nfs40.Putfh4Res;
import org.emplace.benchmarks.tree.Tree;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.XdrBits;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;
import org.emplace.xdr.XdrUnsignedInts;
import org.emplace.xdr.XdrValue;

/** The encoded sample messages, which all measuring programs use. */
public final class SampleMessages {
    /** The attributes that Linux requests for stat(2). */
    private static final Bitmap4 ATTRIBUTES =
            new Bitmap4(XdrBits.ofWords(XdrUnsignedInts.of(0x0010_011aL, 0x00b0_a23aL)));

    private static final int ENTRIES = 100;
    private static final int STEPS = 4;
    private static final int DEPTH = 8;

    private SampleMessages() {}

    /** A GETATTR reply of NFS version 3. */
    public static byte[] getattr() {
        return bytes(new Getattr3Res.Nfs3Ok(new Getattr3Resok(attributes(Ftype3.NF3REG, 1_000_000))));
    }

    /** A READDIRPLUS reply of NFS version 3: 100 entries with attributes and file handles. */
    public static byte[] readdirplus() {
        List<Entryplus3> entries = new ArrayList<>();
        for (int i = 0; i < ENTRIES; i++) {
            entries.add(new Entryplus3(
                    1_000_000 + i,
                    XdrString.of("simulation-output-%04d.dat".formatted(i)),
                    i + 1,
                    Optional.of(attributes(Ftype3.NF3REG, 1_000_000 + i)),
                    Optional.of(new NfsFh3(opaque(32, i)))));
        }
        return bytes(new Readdirplus3Res.Nfs3Ok(new Readdirplus3Resok(
                Optional.of(attributes(Ftype3.NF3DIR, 2)),
                new Cookieverf3(opaque(8, 0)),
                new Dirlistplus3(entries, true))));
    }

    private static Fattr3 attributes(Ftype3 type, long fileid) {
        Nfstime3 time = new Nfstime3(1_700_000_000, fileid);
        return new Fattr3(
                type, 0644, 1, 1000, 1000, 1 << 20, 1 << 20, new Specdata3(0, 0), 77, fileid, time, time, time);
    }

    /** A COMPOUND reply of NFS version 4.0: PUTFH, then LOOKUP, GETFH, ACCESS and GETATTR four times. */
    public static byte[] compound() {
        List<NfsResop4> results = new ArrayList<>();
        results.add(new NfsResop4.PutFh(new Putfh4Res(Nfsstat4.NFS4_OK)));
        for (int i = 0; i < STEPS; i++) {
            results.add(new NfsResop4.Lookup(new Lookup4Res(Nfsstat4.NFS4_OK)));
            results.add(new NfsResop4.GetFh(new Getfh4Res.Nfs4Ok(new Getfh4Resok(new NfsFh4(opaque(64, i))))));
            results.add(new NfsResop4.Access(new Access4Res.Nfs4Ok(new Access4Resok(0x3f, 0x1f))));
            results.add(new NfsResop4.Getattr(
                    new Getattr4Res.Nfs4Ok(new Getattr4Resok(new Fattr4(ATTRIBUTES, opaque(152, i))))));
        }
        return bytes(new Compound4Res(Nfsstat4.NFS4_OK, XdrOpaque.EMPTY, results));
    }

    /** A sorted tree of 255 nodes, eight levels deep. */
    public static byte[] tree() {
        return bytes(tree(DEPTH, 1L << DEPTH));
    }

    private static Tree tree(int levels, long key) {
        Optional<Tree> smaller = levels == 1 ? Optional.empty() : Optional.of(tree(levels - 1, 2 * key));
        Optional<Tree> larger = levels == 1 ? Optional.empty() : Optional.of(tree(levels - 1, 2 * key + 1));
        return new Tree(key, XdrString.of("node " + key), smaller, larger);
    }

    private static XdrOpaque opaque(int length, int seed) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            bytes.put((byte) (seed + bytes.position()));
        }
        return XdrOpaque.copyOf(bytes.flip());
    }

    private static byte[] bytes(XdrValue value) {
        XdrEncoder out = XdrEncoder.onHeap();
        value.encode(out);
        EncodedMessage message = out.finish();
        byte[] bytes = new byte[message.stream().limit()];
        message.stream().get(0, bytes);
        return bytes;
    }
}
