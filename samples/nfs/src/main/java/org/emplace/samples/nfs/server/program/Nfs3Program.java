// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

import java.util.function.Consumer;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.Access3Args;
import org.emplace.samples.nfs.protocol.Access3Res;
import org.emplace.samples.nfs.protocol.Commit3Args;
import org.emplace.samples.nfs.protocol.Commit3Res;
import org.emplace.samples.nfs.protocol.Create3Args;
import org.emplace.samples.nfs.protocol.Create3Res;
import org.emplace.samples.nfs.protocol.Fsinfo3Args;
import org.emplace.samples.nfs.protocol.Fsinfo3Res;
import org.emplace.samples.nfs.protocol.Fsstat3Args;
import org.emplace.samples.nfs.protocol.Fsstat3Res;
import org.emplace.samples.nfs.protocol.Getattr3Args;
import org.emplace.samples.nfs.protocol.Getattr3Res;
import org.emplace.samples.nfs.protocol.Link3Args;
import org.emplace.samples.nfs.protocol.Link3Res;
import org.emplace.samples.nfs.protocol.Lookup3Args;
import org.emplace.samples.nfs.protocol.Lookup3Res;
import org.emplace.samples.nfs.protocol.Mkdir3Args;
import org.emplace.samples.nfs.protocol.Mkdir3Res;
import org.emplace.samples.nfs.protocol.Mknod3Args;
import org.emplace.samples.nfs.protocol.Mknod3Res;
import org.emplace.samples.nfs.protocol.Nfs3Server;
import org.emplace.samples.nfs.protocol.Pathconf3Args;
import org.emplace.samples.nfs.protocol.Pathconf3Res;
import org.emplace.samples.nfs.protocol.Read3Args;
import org.emplace.samples.nfs.protocol.Read3Res;
import org.emplace.samples.nfs.protocol.Readdir3Args;
import org.emplace.samples.nfs.protocol.Readdir3Res;
import org.emplace.samples.nfs.protocol.Readdirplus3Args;
import org.emplace.samples.nfs.protocol.Readdirplus3Res;
import org.emplace.samples.nfs.protocol.Readlink3Args;
import org.emplace.samples.nfs.protocol.Readlink3Res;
import org.emplace.samples.nfs.protocol.Remove3Args;
import org.emplace.samples.nfs.protocol.Remove3Res;
import org.emplace.samples.nfs.protocol.Rename3Args;
import org.emplace.samples.nfs.protocol.Rename3Res;
import org.emplace.samples.nfs.protocol.Rmdir3Args;
import org.emplace.samples.nfs.protocol.Rmdir3Res;
import org.emplace.samples.nfs.protocol.Setattr3Args;
import org.emplace.samples.nfs.protocol.Setattr3Res;
import org.emplace.samples.nfs.protocol.Symlink3Args;
import org.emplace.samples.nfs.protocol.Symlink3Res;
import org.emplace.samples.nfs.protocol.Write3Args;
import org.emplace.samples.nfs.protocol.Write3Res;
import org.emplace.samples.nfs.server.export.Exports;

/** NFS version 3 (RFC 1813) of all exports. Safe for use by several threads. */
public final class Nfs3Program implements Nfs3Server {
    private final AttributeProcedures attributes;
    private final NameProcedures names;
    private final CreationProcedures creation;
    private final ContentProcedures contents;
    private final DirectoryProcedures directories;
    private final FileSystemProcedures fileSystem;

    /**
     * A program that serves exports.
     *
     * @param exports not closed by the program
     * @param failed receives the procedure, such as {@code READ}, of each call whose status is not NFS3_OK
     */
    public Nfs3Program(Exports exports, Consumer<String> failed) {
        Calls calls = new Calls(exports, new FaultLog(System.getLogger(Nfs3Program.class.getName())), failed);
        attributes = new AttributeProcedures(calls);
        names = new NameProcedures(calls);
        creation = new CreationProcedures(calls);
        contents = new ContentProcedures(calls);
        directories = new DirectoryProcedures(calls);
        fileSystem = new FileSystemProcedures(calls);
    }

    @Override
    public Getattr3Res getattr(Getattr3Args args, ServerCall call) {
        return attributes.getattr(args, call);
    }

    @Override
    public Setattr3Res setattr(Setattr3Args args, ServerCall call) {
        return attributes.setattr(args, call);
    }

    @Override
    public Access3Res access(Access3Args args, ServerCall call) {
        return attributes.access(args, call);
    }

    @Override
    public Lookup3Res lookup(Lookup3Args args, ServerCall call) {
        return names.lookup(args, call);
    }

    @Override
    public Readlink3Res readlink(Readlink3Args args, ServerCall call) {
        return names.readlink(args, call);
    }

    @Override
    public Read3Res read(Read3Args args, ServerCall call) {
        return contents.read(args, call);
    }

    @Override
    public Write3Res write(Write3Args args, ServerCall call) {
        return contents.write(args, call);
    }

    @Override
    public Create3Res create(Create3Args args, ServerCall call) {
        return creation.create(args, call);
    }

    @Override
    public Mkdir3Res mkdir(Mkdir3Args args, ServerCall call) {
        return creation.mkdir(args, call);
    }

    @Override
    public Symlink3Res symlink(Symlink3Args args, ServerCall call) {
        return creation.symlink(args, call);
    }

    @Override
    public Mknod3Res mknod(Mknod3Args args, ServerCall call) {
        return creation.mknod(args, call);
    }

    @Override
    public Remove3Res remove(Remove3Args args, ServerCall call) {
        return names.remove(args, call);
    }

    @Override
    public Rmdir3Res rmdir(Rmdir3Args args, ServerCall call) {
        return names.rmdir(args, call);
    }

    @Override
    public Rename3Res rename(Rename3Args args, ServerCall call) {
        return names.rename(args, call);
    }

    @Override
    public Link3Res link(Link3Args args, ServerCall call) {
        return creation.link(args, call);
    }

    @Override
    public Readdir3Res readdir(Readdir3Args args, ServerCall call) {
        return directories.readdir(args, call);
    }

    @Override
    public Readdirplus3Res readdirplus(Readdirplus3Args args, ServerCall call) {
        return directories.readdirplus(args, call);
    }

    @Override
    public Fsstat3Res fsstat(Fsstat3Args args, ServerCall call) {
        return fileSystem.fsstat(args, call);
    }

    @Override
    public Fsinfo3Res fsinfo(Fsinfo3Args args, ServerCall call) {
        return fileSystem.fsinfo(args, call);
    }

    @Override
    public Pathconf3Res pathconf(Pathconf3Args args, ServerCall call) {
        return fileSystem.pathconf(args, call);
    }

    @Override
    public Commit3Res commit(Commit3Args args, ServerCall call) {
        return contents.commit(args, call);
    }
}
