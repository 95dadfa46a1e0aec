// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.calls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;
import org.emplace.rpc.Destination;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.protocol.Access3Args;
import org.emplace.samples.nfs.protocol.Access3Res;
import org.emplace.samples.nfs.protocol.Create3Args;
import org.emplace.samples.nfs.protocol.Create3Res;
import org.emplace.samples.nfs.protocol.Createhow3;
import org.emplace.samples.nfs.protocol.Createmode3;
import org.emplace.samples.nfs.protocol.Diropargs3;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.Fsinfo3Args;
import org.emplace.samples.nfs.protocol.Fsinfo3Res;
import org.emplace.samples.nfs.protocol.Fsinfo3Resok;
import org.emplace.samples.nfs.protocol.Fsstat3Args;
import org.emplace.samples.nfs.protocol.Fsstat3Res;
import org.emplace.samples.nfs.protocol.Fsstat3Resok;
import org.emplace.samples.nfs.protocol.Ftype3;
import org.emplace.samples.nfs.protocol.Getattr3Args;
import org.emplace.samples.nfs.protocol.Getattr3Res;
import org.emplace.samples.nfs.protocol.Link3Args;
import org.emplace.samples.nfs.protocol.Link3Res;
import org.emplace.samples.nfs.protocol.Lookup3Args;
import org.emplace.samples.nfs.protocol.Lookup3Res;
import org.emplace.samples.nfs.protocol.Lookup3Resok;
import org.emplace.samples.nfs.protocol.Mkdir3Args;
import org.emplace.samples.nfs.protocol.Mkdir3Res;
import org.emplace.samples.nfs.protocol.Nfs3Client;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.protocol.Readlink3Args;
import org.emplace.samples.nfs.protocol.Readlink3Res;
import org.emplace.samples.nfs.protocol.Remove3Args;
import org.emplace.samples.nfs.protocol.Remove3Res;
import org.emplace.samples.nfs.protocol.Rename3Args;
import org.emplace.samples.nfs.protocol.Rename3Res;
import org.emplace.samples.nfs.protocol.Rmdir3Args;
import org.emplace.samples.nfs.protocol.Rmdir3Res;
import org.emplace.samples.nfs.protocol.Sattr3;
import org.emplace.samples.nfs.protocol.Setattr3Args;
import org.emplace.samples.nfs.protocol.Setattr3Res;
import org.emplace.samples.nfs.protocol.Symlink3Args;
import org.emplace.samples.nfs.protocol.Symlink3Res;
import org.emplace.samples.nfs.protocol.Symlinkdata3;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrString;

/**
 * The operations on single files, one call each. An error status becomes an {@link NfsException}. Safe for use by several threads.
 *
 * @param cache drops directories that may have moved
 */
public record RemoteFiles(Nfs3Client client, JukeboxRetry retry, DirectoryCache cache) {
    private static final int LONGEST_LINK = 4096;

    /** The file's current attributes. */
    public Fattr3 attributes(NfsFh3 file) throws IOException, InterruptedException {
        Getattr3Res.Nfs3Ok ok = retry.results(
                () -> client.getattr(new Getattr3Args(file)), Getattr3Res::status, Getattr3Res.Nfs3Ok.class);
        return ok.resok().objAttributes();
    }

    /** The entry of a directory with this name; a symbolic link is not followed. */
    RemoteNode lookup(NfsFh3 directory, XdrString name) throws IOException, InterruptedException {
        Lookup3Args args = new Lookup3Args(new Diropargs3(directory, name));
        Lookup3Res.Nfs3Ok ok = retry.results(() -> client.lookup(args), Lookup3Res::status, Lookup3Res.Nfs3Ok.class);
        Lookup3Resok found = ok.resok();
        return node(found.object(), found.objAttributes());
    }

    /** The entry with this name, or empty if there is none. */
    public Optional<RemoteNode> find(NfsFh3 directory, XdrString name) throws IOException, InterruptedException {
        try {
            return Optional.of(lookup(directory, name));
        } catch (NfsException e) {
            if (e.status() == Nfsstat3.NFS3ERR_NOENT) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** The target of a symbolic link. */
    public XdrString readLink(NfsFh3 link) throws IOException, InterruptedException {
        ByteBuffer target = ByteBuffer.allocateDirect(LONGEST_LINK);
        Readlink3Res.Nfs3Ok ok = retry.results(
                () -> client.readlink(new Readlink3Args(link), Destination.into(target)),
                Readlink3Res::status,
                Readlink3Res.Nfs3Ok.class);
        ByteBuffer bytes = ok.resok().data().buffer();
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return XdrString.of(copy);
    }

    /** Creates an empty regular file with this mode. Fails if there is an entry of this name. */
    public RemoteNode create(NfsFh3 directory, XdrString name, long mode) throws IOException, InterruptedException {
        Sattr3 attributes = RemoteAttributes.size(0).withMode(OptionalLong.of(mode));
        Create3Args args = new Create3Args(
                new Diropargs3(directory, name), new Createhow3.Unchecked(Createmode3.GUARDED, attributes));
        Create3Res.Nfs3Ok ok = retry.results(() -> client.create(args), Create3Res::status, Create3Res.Nfs3Ok.class);
        return created(directory, name, ok.resok().obj(), ok.resok().objAttributes());
    }

    /** Creates a directory. */
    public RemoteNode createDirectory(NfsFh3 directory, XdrString name, Sattr3 attributes)
            throws IOException, InterruptedException {
        Mkdir3Args args = new Mkdir3Args(new Diropargs3(directory, name), attributes);
        Mkdir3Res.Nfs3Ok ok = retry.results(() -> client.mkdir(args), Mkdir3Res::status, Mkdir3Res.Nfs3Ok.class);
        return created(directory, name, ok.resok().obj(), ok.resok().objAttributes());
    }

    /** Creates a symbolic link. */
    public void createLink(NfsFh3 directory, XdrString name, XdrString target)
            throws IOException, InterruptedException {
        byte[] bytes = target.bytes();
        ByteBuffer data = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        Symlink3Args args = new Symlink3Args(
                new Diropargs3(directory, name), new Symlinkdata3(RemoteAttributes.UNCHANGED, Payload.of(data)));
        check(retry.make(() -> client.symlink(args), Symlink3Res::status).status());
    }

    /** Gives a file a further name (a hard link). */
    public void link(NfsFh3 file, NfsFh3 directory, XdrString name) throws IOException, InterruptedException {
        Link3Args args = new Link3Args(file, new Diropargs3(directory, name));
        check(retry.make(() -> client.link(args), Link3Res::status).status());
    }

    /**
     * Asks the server which of the rights the caller has.
     *
     * @param wanted bits of ACCESS3
     */
    public Access access(NfsFh3 file, int wanted) throws IOException, InterruptedException {
        Access3Res.Nfs3Ok ok = retry.results(
                () -> client.access(new Access3Args(file, wanted)), Access3Res::status, Access3Res.Nfs3Ok.class);
        return new Access(node(file, ok.resok().objAttributes()), (ok.resok().access() & wanted) == wanted);
    }

    /**
     * The result of {@link #access}.
     *
     * @param node the file with its current attributes
     * @param granted whether the caller has all of them
     */
    public record Access(RemoteNode node, boolean granted) {}

    /** Changes attributes. Returns the file's attributes after that, if the server sent them. */
    public Optional<Fattr3> setAttributes(NfsFh3 file, Sattr3 attributes) throws IOException, InterruptedException {
        Setattr3Args args = new Setattr3Args(file, attributes, Optional.empty());
        Setattr3Res.Nfs3Ok ok =
                retry.results(() -> client.setattr(args), Setattr3Res::status, Setattr3Res.Nfs3Ok.class);
        return ok.resok().objWcc().after();
    }

    /** Removes an entry that is not a directory. */
    public void remove(NfsFh3 directory, XdrString name) throws IOException, InterruptedException {
        Remove3Args args = new Remove3Args(new Diropargs3(directory, name));
        check(retry.make(() -> client.remove(args), Remove3Res::status).status());
    }

    /** Removes an empty directory. */
    public void removeDirectory(NfsFh3 directory, XdrString name) throws IOException, InterruptedException {
        Diropargs3 entry = new Diropargs3(directory, name);
        check(moving(
                () -> retry.make(() -> client.rmdir(new Rmdir3Args(entry)), Rmdir3Res::status)
                        .status(),
                entry));
    }

    /** Renames. Replaces an existing target if the types permit that. */
    public void rename(NfsFh3 from, XdrString name, NfsFh3 to, XdrString newName)
            throws IOException, InterruptedException {
        Diropargs3 source = new Diropargs3(from, name);
        Diropargs3 target = new Diropargs3(to, newName);
        Rename3Args args = new Rename3Args(source, target);
        check(moving(
                () -> retry.make(() -> client.rename(args), Rename3Res::status).status(), source, target));
    }

    /** A directory may move while another thread looks it up. */
    private Nfsstat3 moving(JukeboxRetry.Call<Nfsstat3> call, Diropargs3... entries)
            throws IOException, InterruptedException {
        forget(entries);
        try {
            return call.make();
        } finally {
            forget(entries);
        }
    }

    private void forget(Diropargs3... entries) {
        for (Diropargs3 entry : entries) {
            cache.forget(entry.dir(), entry.name());
        }
    }

    /** The limits and properties of the file system (FSINFO). */
    public Fsinfo3Resok info(NfsFh3 root) throws IOException, InterruptedException {
        Fsinfo3Res.Nfs3Ok ok =
                retry.results(() -> client.fsinfo(new Fsinfo3Args(root)), Fsinfo3Res::status, Fsinfo3Res.Nfs3Ok.class);
        return ok.resok();
    }

    /** The free and total space of the file system (FSSTAT). */
    public Fsstat3Resok space(NfsFh3 root) throws IOException, InterruptedException {
        Fsstat3Res.Nfs3Ok ok =
                retry.results(() -> client.fsstat(new Fsstat3Args(root)), Fsstat3Res::status, Fsstat3Res.Nfs3Ok.class);
        return ok.resok();
    }

    private RemoteNode created(NfsFh3 directory, XdrString name, Optional<NfsFh3> handle, Optional<Fattr3> attributes)
            throws IOException, InterruptedException {
        return handle.isPresent() ? node(handle.get(), attributes) : lookup(directory, name);
    }

    /** A file with the attributes that a reply had; if it had none, asks for them. */
    public RemoteNode node(NfsFh3 handle, Optional<Fattr3> attributes) throws IOException, InterruptedException {
        return new RemoteNode(handle, attributes.isPresent() ? attributes.get() : attributes(handle));
    }

    private static void check(Nfsstat3 status) throws NfsException {
        if (status != Nfsstat3.NFS3_OK) {
            throw new NfsException(status);
        }
    }

    /** A file on the server: its handle and its last known attributes. */
    public record RemoteNode(NfsFh3 handle, Fattr3 attributes) {

        /** Whether it is a directory. */
        public boolean isDirectory() {
            return attributes.type() == Ftype3.NF3DIR;
        }

        /** Whether it is a regular file. */
        public boolean isRegularFile() {
            return attributes.type() == Ftype3.NF3REG;
        }

        /** Whether it is a symbolic link. */
        public boolean isSymbolicLink() {
            return attributes.type() == Ftype3.NF3LNK;
        }
    }
}
