// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.emplace.Rpc;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.RpcConnection;
import org.emplace.samples.nfs.protocol.Create3Args;
import org.emplace.samples.nfs.protocol.Create3Res;
import org.emplace.samples.nfs.protocol.Createhow3;
import org.emplace.samples.nfs.protocol.Createmode3;
import org.emplace.samples.nfs.protocol.Diropargs3;
import org.emplace.samples.nfs.protocol.Mount3Client;
import org.emplace.samples.nfs.protocol.Mountres3;
import org.emplace.samples.nfs.protocol.Nfs3Client;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Sattr3;
import org.emplace.samples.nfs.protocol.SetAtime;
import org.emplace.samples.nfs.protocol.SetMtime;
import org.emplace.samples.nfs.protocol.StableHow;
import org.emplace.samples.nfs.protocol.TimeHow;
import org.emplace.samples.nfs.protocol.Write3Args;
import org.emplace.samples.nfs.protocol.Write3Res;
import org.emplace.samples.nfs.server.export.Durability;
import org.emplace.samples.nfs.server.export.Export;
import org.emplace.samples.nfs.server.export.ExportOptions;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrString;

/** A directory, a server of it on loopback, and a client that has mounted it. */
final class Served implements AutoCloseable {
    static final Sattr3 NO_ATTRIBUTES = new Sattr3(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            new SetAtime.Otherwise(TimeHow.DONT_CHANGE),
            new SetMtime.Otherwise(TimeHow.DONT_CHANGE));

    /** Transports that the server is tested over. */
    enum Over {
        TCP,
        RDMA
    }

    final Path directory;
    final Mount3Client mount;
    final Nfs3Client nfs;
    final NfsFh3 root;
    private final NfsServer server;
    private final RpcConnection connection;

    Served(Over transport, Path temporary) throws IOException, InterruptedException {
        directory = Files.createDirectory(temporary.resolve("export"));
        Export export = Export.open(
                directory, temporary.resolve("state"), ExportOptions.DEFAULT.withDurability(Durability.DEFERRED));
        URI address = URI.create(transport == Over.TCP ? "tcp://127.0.0.1:0" : "rdma://127.0.0.1:0");
        server = NfsServer.start(export, List.of(address), 64);
        connection = Rpc.connect(server.addresses().get(0));
        mount = Mount3Client.on(connection, CallOptions.DEFAULT);
        nfs = Nfs3Client.on(connection, CallOptions.DEFAULT);
        Mountres3 mounted = mount.mnt(XdrString.of(directory.toString()));
        root = new NfsFh3(((Mountres3.Mountinfo) mounted).mountinfo().fhandle());
    }

    Diropargs3 in(NfsFh3 in, String name) {
        return new Diropargs3(in, XdrString.of(name));
    }

    NfsFh3 create(String name) throws IOException, InterruptedException {
        Create3Res made = nfs.create(
                new Create3Args(in(root, name), new Createhow3.ObjAttributes(Createmode3.GUARDED, NO_ATTRIBUTES)));
        return ((Create3Res.Resok) made).resok().obj().orElseThrow();
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
