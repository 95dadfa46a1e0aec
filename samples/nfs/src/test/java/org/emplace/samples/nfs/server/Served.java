// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.emplace.Rpc;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.auth.AuthSys;
import org.emplace.samples.nfs.client.calls.RemoteAttributes;
import org.emplace.samples.nfs.protocol.Create3Args;
import org.emplace.samples.nfs.protocol.Create3Res;
import org.emplace.samples.nfs.protocol.Createhow3;
import org.emplace.samples.nfs.protocol.Createmode3;
import org.emplace.samples.nfs.protocol.Diropargs3;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.Getattr3Args;
import org.emplace.samples.nfs.protocol.Getattr3Res;
import org.emplace.samples.nfs.protocol.Mount3Client;
import org.emplace.samples.nfs.protocol.Mountres3;
import org.emplace.samples.nfs.protocol.Nfs3Client;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.StableHow;
import org.emplace.samples.nfs.protocol.Write3Args;
import org.emplace.samples.nfs.protocol.Write3Res;
import org.emplace.samples.nfs.server.NfsServer.Capacity;
import org.emplace.samples.nfs.server.export.ExportDefinition;
import org.emplace.samples.nfs.server.export.ExportOptions;
import org.emplace.samples.nfs.server.export.Exports;
import org.emplace.samples.nfs.server.export.Exports.StoreOpener;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrString;
import org.emplace.xdr.XdrUnsignedInts;

/** Directories, a server of them on loopback, and a client that has mounted the first one as root. */
final class Served implements AutoCloseable {
    /** Permits everything, without waiting for the disk. */
    static final ExportOptions OPEN =
            ExportOptions.DEFAULT.withReadOnly(false).withSquashRoot(false).withDeferred(true);

    /** The transports and stores of the tests. */
    enum On {
        TCP_POSIX("tcp", StoreKind.POSIX),
        TCP_NIO("tcp", StoreKind.NIO),
        RDMA_POSIX("rdma", StoreKind.POSIX),
        RDMA_NIO("rdma", StoreKind.NIO);

        final String protocol;
        final StoreKind store;

        On(String protocol, StoreKind store) {
            this.protocol = protocol;
            this.store = store;
        }
    }

    final Path directory;
    final Exports exports;
    final Mount3Client mount;
    final Nfs3Client nfs;
    private final NfsServer server;
    private final RpcConnection connection;

    /** A new directory with everything permitted. */
    Served(On on, Path temporary) throws IOException {
        this(on, temporary, List.of(openExport(temporary)));
    }

    private static ExportDefinition openExport(Path temporary) throws IOException {
        return ExportDefinition.forEverybody(Files.createDirectory(temporary.resolve("export")), OPEN);
    }

    /** @param temporary the folder of the server's state */
    Served(On on, Path temporary, List<ExportDefinition> definitions) throws IOException {
        this(on.protocol, temporary, definitions, on.store.opener(definitions.size()));
    }

    /** A new directory with everything permitted, in a store of the test's. */
    Served(Path temporary, StoreOpener stores) throws IOException {
        this("tcp", temporary, List.of(openExport(temporary)), stores);
    }

    Served(String protocol, Path temporary, List<ExportDefinition> definitions, StoreOpener stores) throws IOException {
        directory = definitions.get(0).directory();
        exports = Exports.open(definitions, temporary.resolve("state"), stores);
        server = NfsServer.start(
                exports, List.of(URI.create(protocol + "://127.0.0.1:0")), Capacity.DEFAULT.withConnections(64));
        connection = Rpc.connect(server.addresses().get(0));
        mount = Mount3Client.on(connection);
        nfs = as(0, 0);
    }

    int port() {
        return server.addresses().get(0).getPort();
    }

    /** A client on the same connection that makes calls as a user. */
    Nfs3Client as(long uid, long gid, long... groups) {
        return Nfs3Client.on(connection).with(inTheNameOf(uid, gid, groups));
    }

    /** The options of a call as a user. */
    static CallOptions inTheNameOf(long uid, long gid, long... groups) {
        return CallOptions.DEFAULT.withAuth(new AuthSys(0, XdrString.of("test"), uid, gid, XdrUnsignedInts.of(groups)));
    }

    /** A client on the same connection that makes calls without a user. */
    Nfs3Client asNobody() {
        return Nfs3Client.on(connection);
    }

    NfsFh3 root() throws IOException, InterruptedException {
        return mounted(directory.toString());
    }

    /** The handle of a directory by its path. */
    NfsFh3 mounted(String path) throws IOException, InterruptedException {
        return new NfsFh3(
                ((Mountres3.Mnt3Ok) mount.mnt(XdrString.of(path))).mountinfo().fhandle());
    }

    Fattr3 attributes(NfsFh3 file) throws IOException, InterruptedException {
        return ((Getattr3Res.Nfs3Ok) nfs.getattr(new Getattr3Args(file)))
                .resok()
                .objAttributes();
    }

    static Diropargs3 in(NfsFh3 in, String name) {
        return new Diropargs3(in, XdrString.of(name));
    }

    NfsFh3 create(String name) throws IOException, InterruptedException {
        return create(nfs, root(), name);
    }

    /** Makes a file as a client. */
    NfsFh3 create(Nfs3Client client, NfsFh3 directory, String name) throws IOException, InterruptedException {
        Create3Res made = client.create(new Create3Args(
                in(directory, name), new Createhow3.Unchecked(Createmode3.GUARDED, RemoteAttributes.UNCHANGED)));
        return ((Create3Res.Nfs3Ok) made).resok().obj().orElseThrow();
    }

    Write3Res write(NfsFh3 file, long offset, ByteBuffer bytes, StableHow stable)
            throws IOException, InterruptedException {
        return nfs.write(new Write3Args(file, offset, bytes.remaining(), stable, Payload.of(bytes)));
    }

    @Override
    public void close() throws IOException {
        connection.close();
        server.close();
    }
}
