// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.Access3Args;
import org.emplace.samples.nfs.protocol.Access3Res;
import org.emplace.samples.nfs.protocol.Access3Resok;
import org.emplace.samples.nfs.protocol.Entryplus3;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.Fsinfo3Args;
import org.emplace.samples.nfs.protocol.Fsinfo3Res;
import org.emplace.samples.nfs.protocol.Fsinfo3Resok;
import org.emplace.samples.nfs.protocol.Ftype3;
import org.emplace.samples.nfs.protocol.Getattr3Args;
import org.emplace.samples.nfs.protocol.Getattr3Res;
import org.emplace.samples.nfs.protocol.Getattr3Resok;
import org.emplace.samples.nfs.protocol.Lookup3Args;
import org.emplace.samples.nfs.protocol.Lookup3Res;
import org.emplace.samples.nfs.protocol.Lookup3Resok;
import org.emplace.samples.nfs.protocol.Nfs3Server;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfstime3;
import org.emplace.samples.nfs.protocol.Setattr3Args;
import org.emplace.samples.nfs.protocol.Setattr3Res;
import org.emplace.samples.nfs.protocol.Setattr3Resok;
import org.emplace.samples.nfs.protocol.Specdata3;
import org.emplace.samples.nfs.protocol.WccData;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;

/** A server with one directory, whose content the test defines. It has no other procedures. Reads and writes move 64 bytes at a time. */
public class OneDirectoryServer implements Nfs3Server {
    public static final NfsFh3 ROOT = handle("root");
    public static final int TRANSFER = 64;
    private static final Nfstime3 TIME = new Nfstime3(1_000_000_000, 0);

    public static NfsFh3 handle(String text) {
        return new NfsFh3(XdrOpaque.of(text.getBytes(StandardCharsets.US_ASCII)));
    }

    public static Fattr3 attributes(Ftype3 type, long size) {
        long mode = type == Ftype3.NF3DIR ? 0755 : 0644;
        return new Fattr3(type, mode, 1, 0, 0, size, size, new Specdata3(0, 0), 1, 2, TIME, TIME, TIME);
    }

    /** An entry of a listing; its handle is its name. */
    public static Entryplus3 entry(String name, long cookie, Fattr3 attributes) {
        return new Entryplus3(
                2, XdrString.of(name), cookie, Optional.of(attributes), Optional.of(handle("file " + name)));
    }

    /** The attributes of the file behind a handle. */
    protected Fattr3 attributesOf(NfsFh3 file) {
        return file.equals(ROOT) ? attributes(Ftype3.NF3DIR, 0) : attributes(Ftype3.NF3REG, 0);
    }

    @Override
    public Getattr3Res getattr(Getattr3Args args, ServerCall call) {
        return new Getattr3Res.Nfs3Ok(new Getattr3Resok(attributesOf(args.object())));
    }

    @Override
    public Lookup3Res lookup(Lookup3Args args, ServerCall call) {
        NfsFh3 file = handle("file " + args.what().name());
        return new Lookup3Res.Nfs3Ok(new Lookup3Resok(file, Optional.of(attributesOf(file)), Optional.empty()));
    }

    @Override
    public Access3Res access(Access3Args args, ServerCall call) {
        return new Access3Res.Nfs3Ok(new Access3Resok(Optional.of(attributesOf(args.object())), args.access()));
    }

    @Override
    public Setattr3Res setattr(Setattr3Args args, ServerCall call) {
        return new Setattr3Res.Nfs3Ok(new Setattr3Resok(new WccData(Optional.empty(), Optional.empty())));
    }

    /** The most bytes that a READ or WRITE moves. */
    protected int transfer() {
        return TRANSFER;
    }

    @Override
    public Fsinfo3Res fsinfo(Fsinfo3Args args, ServerCall call) {
        return new Fsinfo3Res.Nfs3Ok(new Fsinfo3Resok(
                Optional.empty(),
                transfer(),
                transfer(),
                1,
                transfer(),
                transfer(),
                1,
                4096,
                Long.MAX_VALUE,
                new Nfstime3(0, 1),
                0));
    }
}
