// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.util.Optional;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.Access3Args;
import org.emplace.samples.nfs.protocol.Access3Res;
import org.emplace.samples.nfs.protocol.Access3Resfail;
import org.emplace.samples.nfs.protocol.Commit3Args;
import org.emplace.samples.nfs.protocol.Commit3Res;
import org.emplace.samples.nfs.protocol.Commit3Resfail;
import org.emplace.samples.nfs.protocol.Create3Args;
import org.emplace.samples.nfs.protocol.Create3Res;
import org.emplace.samples.nfs.protocol.Create3Resfail;
import org.emplace.samples.nfs.protocol.Fsinfo3Args;
import org.emplace.samples.nfs.protocol.Fsinfo3Res;
import org.emplace.samples.nfs.protocol.Fsinfo3Resfail;
import org.emplace.samples.nfs.protocol.Fsstat3Args;
import org.emplace.samples.nfs.protocol.Fsstat3Res;
import org.emplace.samples.nfs.protocol.Fsstat3Resfail;
import org.emplace.samples.nfs.protocol.Getattr3Args;
import org.emplace.samples.nfs.protocol.Getattr3Res;
import org.emplace.samples.nfs.protocol.Link3Args;
import org.emplace.samples.nfs.protocol.Link3Res;
import org.emplace.samples.nfs.protocol.Link3Resfail;
import org.emplace.samples.nfs.protocol.Lookup3Args;
import org.emplace.samples.nfs.protocol.Lookup3Res;
import org.emplace.samples.nfs.protocol.Lookup3Resfail;
import org.emplace.samples.nfs.protocol.Mkdir3Args;
import org.emplace.samples.nfs.protocol.Mkdir3Res;
import org.emplace.samples.nfs.protocol.Mkdir3Resfail;
import org.emplace.samples.nfs.protocol.Mknod3Args;
import org.emplace.samples.nfs.protocol.Mknod3Res;
import org.emplace.samples.nfs.protocol.Mknod3Resfail;
import org.emplace.samples.nfs.protocol.Nfs3Server;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.protocol.Pathconf3Args;
import org.emplace.samples.nfs.protocol.Pathconf3Res;
import org.emplace.samples.nfs.protocol.Pathconf3Resfail;
import org.emplace.samples.nfs.protocol.Read3Args;
import org.emplace.samples.nfs.protocol.Read3Res;
import org.emplace.samples.nfs.protocol.Read3Resfail;
import org.emplace.samples.nfs.protocol.Readdir3Args;
import org.emplace.samples.nfs.protocol.Readdir3Res;
import org.emplace.samples.nfs.protocol.Readdir3Resfail;
import org.emplace.samples.nfs.protocol.Readdirplus3Args;
import org.emplace.samples.nfs.protocol.Readdirplus3Res;
import org.emplace.samples.nfs.protocol.Readdirplus3Resfail;
import org.emplace.samples.nfs.protocol.Readlink3Args;
import org.emplace.samples.nfs.protocol.Readlink3Res;
import org.emplace.samples.nfs.protocol.Readlink3Resfail;
import org.emplace.samples.nfs.protocol.Remove3Args;
import org.emplace.samples.nfs.protocol.Remove3Res;
import org.emplace.samples.nfs.protocol.Remove3Resfail;
import org.emplace.samples.nfs.protocol.Rename3Args;
import org.emplace.samples.nfs.protocol.Rename3Res;
import org.emplace.samples.nfs.protocol.Rename3Resfail;
import org.emplace.samples.nfs.protocol.Rmdir3Args;
import org.emplace.samples.nfs.protocol.Rmdir3Res;
import org.emplace.samples.nfs.protocol.Rmdir3Resfail;
import org.emplace.samples.nfs.protocol.Setattr3Args;
import org.emplace.samples.nfs.protocol.Setattr3Res;
import org.emplace.samples.nfs.protocol.Setattr3Resfail;
import org.emplace.samples.nfs.protocol.Symlink3Args;
import org.emplace.samples.nfs.protocol.Symlink3Res;
import org.emplace.samples.nfs.protocol.Symlink3Resfail;
import org.emplace.samples.nfs.protocol.WccData;
import org.emplace.samples.nfs.protocol.Write3Args;
import org.emplace.samples.nfs.protocol.Write3Res;
import org.emplace.samples.nfs.protocol.Write3Resfail;

/** A server that supports nothing: tests give it the procedures that they are about. */
class RefusingServer implements Nfs3Server {
    private static final Nfsstat3 REFUSED = Nfsstat3.NFS3ERR_NOTSUPP;
    private static final WccData NO_WCC = new WccData(Optional.empty(), Optional.empty());

    @Override
    public Getattr3Res getattr(Getattr3Args args, ServerCall call) throws Exception {
        return new Getattr3Res.Default(REFUSED);
    }

    @Override
    public Setattr3Res setattr(Setattr3Args args, ServerCall call) throws Exception {
        return new Setattr3Res.Default(REFUSED, new Setattr3Resfail(NO_WCC));
    }

    @Override
    public Lookup3Res lookup(Lookup3Args args, ServerCall call) throws Exception {
        return new Lookup3Res.Default(REFUSED, new Lookup3Resfail(Optional.empty()));
    }

    @Override
    public Access3Res access(Access3Args args, ServerCall call) throws Exception {
        return new Access3Res.Default(REFUSED, new Access3Resfail(Optional.empty()));
    }

    @Override
    public Readlink3Res readlink(Readlink3Args args, ServerCall call) throws Exception {
        return new Readlink3Res.Default(REFUSED, new Readlink3Resfail(Optional.empty()));
    }

    @Override
    public Read3Res read(Read3Args args, ServerCall call) throws Exception {
        return new Read3Res.Default(REFUSED, new Read3Resfail(Optional.empty()));
    }

    @Override
    public Write3Res write(Write3Args args, ServerCall call) throws Exception {
        return new Write3Res.Default(REFUSED, new Write3Resfail(NO_WCC));
    }

    @Override
    public Create3Res create(Create3Args args, ServerCall call) throws Exception {
        return new Create3Res.Default(REFUSED, new Create3Resfail(NO_WCC));
    }

    @Override
    public Mkdir3Res mkdir(Mkdir3Args args, ServerCall call) throws Exception {
        return new Mkdir3Res.Default(REFUSED, new Mkdir3Resfail(NO_WCC));
    }

    @Override
    public Symlink3Res symlink(Symlink3Args args, ServerCall call) throws Exception {
        return new Symlink3Res.Default(REFUSED, new Symlink3Resfail(NO_WCC));
    }

    @Override
    public Mknod3Res mknod(Mknod3Args args, ServerCall call) throws Exception {
        return new Mknod3Res.Default(REFUSED, new Mknod3Resfail(NO_WCC));
    }

    @Override
    public Remove3Res remove(Remove3Args args, ServerCall call) throws Exception {
        return new Remove3Res.Default(REFUSED, new Remove3Resfail(NO_WCC));
    }

    @Override
    public Rmdir3Res rmdir(Rmdir3Args args, ServerCall call) throws Exception {
        return new Rmdir3Res.Default(REFUSED, new Rmdir3Resfail(NO_WCC));
    }

    @Override
    public Rename3Res rename(Rename3Args args, ServerCall call) throws Exception {
        return new Rename3Res.Default(REFUSED, new Rename3Resfail(NO_WCC, NO_WCC));
    }

    @Override
    public Link3Res link(Link3Args args, ServerCall call) throws Exception {
        return new Link3Res.Default(REFUSED, new Link3Resfail(Optional.empty(), NO_WCC));
    }

    @Override
    public Readdir3Res readdir(Readdir3Args args, ServerCall call) throws Exception {
        return new Readdir3Res.Default(REFUSED, new Readdir3Resfail(Optional.empty()));
    }

    @Override
    public Readdirplus3Res readdirplus(Readdirplus3Args args, ServerCall call) throws Exception {
        return new Readdirplus3Res.Default(REFUSED, new Readdirplus3Resfail(Optional.empty()));
    }

    @Override
    public Fsstat3Res fsstat(Fsstat3Args args, ServerCall call) throws Exception {
        return new Fsstat3Res.Default(REFUSED, new Fsstat3Resfail(Optional.empty()));
    }

    @Override
    public Fsinfo3Res fsinfo(Fsinfo3Args args, ServerCall call) throws Exception {
        return new Fsinfo3Res.Default(REFUSED, new Fsinfo3Resfail(Optional.empty()));
    }

    @Override
    public Pathconf3Res pathconf(Pathconf3Args args, ServerCall call) throws Exception {
        return new Pathconf3Res.Default(REFUSED, new Pathconf3Resfail(Optional.empty()));
    }

    @Override
    public Commit3Res commit(Commit3Args args, ServerCall call) throws Exception {
        return new Commit3Res.Default(REFUSED, new Commit3Resfail(NO_WCC));
    }
}
