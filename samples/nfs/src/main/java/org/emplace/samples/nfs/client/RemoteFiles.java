// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.emplace.rpc.Destination;
import org.emplace.samples.nfs.protocol.Create3Args;
import org.emplace.samples.nfs.protocol.Create3Res;
import org.emplace.samples.nfs.protocol.Createhow3;
import org.emplace.samples.nfs.protocol.Createmode3;
import org.emplace.samples.nfs.protocol.Diropargs3;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.Fsinfo3Args;
import org.emplace.samples.nfs.protocol.Fsinfo3Res;
import org.emplace.samples.nfs.protocol.Fsinfo3Resok;
import org.emplace.samples.nfs.protocol.Getattr3Args;
import org.emplace.samples.nfs.protocol.Getattr3Res;
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
import org.emplace.samples.nfs.protocol.Rename3Args;
import org.emplace.samples.nfs.protocol.Rmdir3Args;
import org.emplace.samples.nfs.protocol.Sattr3;
import org.emplace.samples.nfs.protocol.Setattr3Args;
import org.emplace.samples.nfs.protocol.Symlink3Args;
import org.emplace.samples.nfs.protocol.Symlinkdata3;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrString;

/**
 * The operations on single files, one call each: what the server refuses becomes an {@link NfsException}. Safe for use by several
 * threads.
 */
public final class RemoteFiles {
    private static final int LONGEST_LINK = 4096;

    private final Nfs3Client client;

    RemoteFiles(Nfs3Client client) {
        this.client = client;
    }

    /** The file's attributes as they are now. */
    public Fattr3 attributes(NfsFh3 file) throws IOException, InterruptedException {
        Getattr3Res result = client.getattr(new Getattr3Args(file));
        if (result instanceof Getattr3Res.Nfs3Ok ok) {
            return ok.resok().objAttributes();
        }
        throw new NfsException(result.status());
    }

    /** The entry of a directory with this name; a symbolic link is not followed. */
    public RemoteNode lookup(NfsFh3 directory, XdrString name) throws IOException, InterruptedException {
        Lookup3Res result = client.lookup(new Lookup3Args(new Diropargs3(directory, name)));
        if (result instanceof Lookup3Res.Nfs3Ok ok) {
            Lookup3Resok found = ok.resok();
            return node(found.object(), found.objAttributes());
        }
        throw new NfsException(result.status());
    }

    /** The entry with this name, or empty where there is none. */
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

    /** What a symbolic link points to. */
    public XdrString readLink(NfsFh3 link) throws IOException, InterruptedException {
        ByteBuffer target = ByteBuffer.allocateDirect(LONGEST_LINK);
        Readlink3Res result = client.readlink(new Readlink3Args(link), Destination.into(target));
        if (result instanceof Readlink3Res.Nfs3Ok ok) {
            ByteBuffer bytes = ok.resok().data().buffer();
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            return XdrString.of(copy);
        }
        throw new NfsException(result.status());
    }

    /** Makes a regular file empty, and if there is none creates it. Attributes are applied to a new one. */
    public RemoteNode create(NfsFh3 directory, XdrString name, Sattr3 attributes)
            throws IOException, InterruptedException {
        Create3Res result = client.create(new Create3Args(
                new Diropargs3(directory, name), new Createhow3.Unchecked(Createmode3.UNCHECKED, attributes)));
        if (result instanceof Create3Res.Nfs3Ok ok) {
            return created(directory, name, ok.resok().obj(), ok.resok().objAttributes());
        }
        throw new NfsException(result.status());
    }

    /** Creates a directory. */
    public RemoteNode createDirectory(NfsFh3 directory, XdrString name, Sattr3 attributes)
            throws IOException, InterruptedException {
        Mkdir3Res result = client.mkdir(new Mkdir3Args(new Diropargs3(directory, name), attributes));
        if (result instanceof Mkdir3Res.Nfs3Ok ok) {
            return created(directory, name, ok.resok().obj(), ok.resok().objAttributes());
        }
        throw new NfsException(result.status());
    }

    /** Creates a symbolic link. */
    public void createLink(NfsFh3 directory, XdrString name, XdrString target)
            throws IOException, InterruptedException {
        byte[] bytes = target.bytes();
        ByteBuffer data = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        check(client.symlink(new Symlink3Args(
                        new Diropargs3(directory, name),
                        new Symlinkdata3(RemoteAttributes.UNCHANGED, Payload.of(data))))
                .status());
    }

    /** Changes attributes. */
    public void setAttributes(NfsFh3 file, Sattr3 attributes) throws IOException, InterruptedException {
        check(client.setattr(new Setattr3Args(file, attributes, Optional.empty()))
                .status());
    }

    /** Removes an entry that is not a directory. */
    public void remove(NfsFh3 directory, XdrString name) throws IOException, InterruptedException {
        check(client.remove(new Remove3Args(new Diropargs3(directory, name))).status());
    }

    /** Removes an empty directory. */
    public void removeDirectory(NfsFh3 directory, XdrString name) throws IOException, InterruptedException {
        check(client.rmdir(new Rmdir3Args(new Diropargs3(directory, name))).status());
    }

    /** Renames; what stands at the new name is replaced where the types allow it. */
    public void rename(NfsFh3 from, XdrString name, NfsFh3 to, XdrString newName)
            throws IOException, InterruptedException {
        check(client.rename(new Rename3Args(new Diropargs3(from, name), new Diropargs3(to, newName)))
                .status());
    }

    /** The sizes and abilities of the file system. */
    Fsinfo3Resok info(NfsFh3 root) throws IOException, InterruptedException {
        Fsinfo3Res result = client.fsinfo(new Fsinfo3Args(root));
        if (result instanceof Fsinfo3Res.Nfs3Ok ok) {
            return ok.resok();
        }
        throw new NfsException(result.status());
    }

    private RemoteNode created(NfsFh3 directory, XdrString name, Optional<NfsFh3> handle, Optional<Fattr3> attributes)
            throws IOException, InterruptedException {
        return handle.isPresent() ? node(handle.get(), attributes) : lookup(directory, name);
    }

    private RemoteNode node(NfsFh3 handle, Optional<Fattr3> attributes) throws IOException, InterruptedException {
        return new RemoteNode(handle, attributes.isPresent() ? attributes.get() : attributes(handle));
    }

    private static void check(Nfsstat3 status) throws NfsException {
        if (status != Nfsstat3.NFS3_OK) {
            throw new NfsException(status);
        }
    }
}
