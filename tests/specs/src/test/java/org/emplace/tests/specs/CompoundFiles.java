// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.specs;

import java.util.List;
import org.emplace.rpc.ServerCall;
import org.emplace.tests.specs.nfs41.Component4;
import org.emplace.tests.specs.nfs41.Compound4Args;
import org.emplace.tests.specs.nfs41.Compound4Res;
import org.emplace.tests.specs.nfs41.Getfh4Res;
import org.emplace.tests.specs.nfs41.Getfh4Resok;
import org.emplace.tests.specs.nfs41.Illegal4Res;
import org.emplace.tests.specs.nfs41.Lookup4Args;
import org.emplace.tests.specs.nfs41.Lookup4Res;
import org.emplace.tests.specs.nfs41.Nfs4CompoundOperations;
import org.emplace.tests.specs.nfs41.NfsArgop4;
import org.emplace.tests.specs.nfs41.NfsFh4;
import org.emplace.tests.specs.nfs41.NfsResop4;
import org.emplace.tests.specs.nfs41.Nfsstat4;
import org.emplace.tests.specs.nfs41.Putrootfh4Res;
import org.emplace.tests.specs.nfs41.Read4Args;
import org.emplace.tests.specs.nfs41.Read4Res;
import org.emplace.tests.specs.nfs41.Read4Resok;
import org.emplace.tests.specs.nfs41.Readlink4Res;
import org.emplace.tests.specs.nfs41.Readlink4Resok;
import org.emplace.tests.specs.nfs41.Verifier4;
import org.emplace.tests.specs.nfs41.Write4Args;
import org.emplace.tests.specs.nfs41.Write4Res;
import org.emplace.tests.specs.nfs41.Write4Resok;
import org.emplace.xdr.XdrOpaque;

/** An NFSv4.1 server with a root and one file, and with a method for each operation that it supports. */
final class CompoundFiles implements Nfs4CompoundOperations<CompoundFiles.Current> {

    /** The files of the server. */
    static final class Content {
        static final String FILE = "file";
        static final String LINK = "where/the/link/leads";

        private Content() {}
    }

    /** The state that the operations of a call share: the current filehandle. */
    static final class Current {
        private final XdrOpaque tag;
        private String path = "";

        private Current(XdrOpaque tag) {
            this.tag = tag;
        }
    }

    @Override
    public Compound4Res run(Compound4Args args, ServerCall call) throws Exception {
        return args.minorversion() == 1
                ? Nfs4CompoundOperations.super.run(args, call)
                : new Compound4Res(Nfsstat4.NFS4ERR_MINOR_VERS_MISMATCH, args.tag(), List.of());
    }

    @Override
    public Current begin(Compound4Args args, ServerCall call) {
        return new Current(args.tag());
    }

    @Override
    public Compound4Res finish(Nfsstat4 status, List<NfsResop4> results, Current current) {
        return new Compound4Res(status, current.tag, results);
    }

    @Override
    public NfsResop4 otherwise(NfsArgop4 operation, Current current) {
        return new NfsResop4.Illegal(new Illegal4Res(Nfsstat4.NFS4ERR_OP_ILLEGAL));
    }

    @Override
    public Putrootfh4Res putRootFh(Current current) {
        current.path = "/";
        return new Putrootfh4Res(Nfsstat4.NFS4_OK);
    }

    @Override
    public Lookup4Res lookup(Lookup4Args args, Current current) {
        if (!args.objname().equals(Component4.of(Content.FILE))) {
            return new Lookup4Res(Nfsstat4.NFS4ERR_NOENT);
        }
        current.path += Content.FILE;
        return new Lookup4Res(Nfsstat4.NFS4_OK);
    }

    @Override
    public Getfh4Res getFh(Current current) {
        return new Getfh4Res.Nfs4Ok(new Getfh4Resok(new NfsFh4(XdrOpaque.ofUtf8(current.path))));
    }

    @Override
    public Read4Res read(Read4Args args, Current current) {
        return new Read4Res.Nfs4Ok(new Read4Resok(true, OverRdma.direct("data of " + current.path)));
    }

    @Override
    public Readlink4Res readlink(Current current) {
        return new Readlink4Res.Nfs4Ok(new Readlink4Resok(OverRdma.direct(Content.LINK)));
    }

    @Override
    public Write4Res write(Write4Args args, Current current) {
        return new Write4Res.Nfs4Ok(
                new Write4Resok(args.data().length(), args.stable(), Verifier4.of(new byte[Long.BYTES])));
    }
}
