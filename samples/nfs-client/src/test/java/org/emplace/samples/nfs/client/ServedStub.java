// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.emplace.RpcServer;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.Exportnode;
import org.emplace.samples.nfs.protocol.Mount3Server;
import org.emplace.samples.nfs.protocol.Mountbody;
import org.emplace.samples.nfs.protocol.Mountres3;
import org.emplace.samples.nfs.protocol.Mountres3Ok;
import org.emplace.samples.nfs.protocol.Nfs3Server;
import org.emplace.xdr.XdrInts;
import org.emplace.xdr.XdrString;
import org.jspecify.annotations.Nullable;

/** Serves a test's own server over TCP on loopback, with a MOUNT program that exports {@code /e}. */
public final class ServedStub implements AutoCloseable {
    private final RpcServer server;
    private @Nullable FileSystem opened;

    public ServedStub(Nfs3Server nfs) throws RpcException {
        this(nfs, new OneExport());
    }

    /** With a MOUNT program of the test's. */
    public ServedStub(Nfs3Server nfs, Mount3Server mount) throws RpcException {
        server = RpcServer.builder()
                .service(Nfs3Server.service(nfs))
                .service(Mount3Server.service(mount))
                .listen(URI.create("tcp://127.0.0.1:0"))
                .start();
    }

    /** The export. */
    public String place() {
        return "nfs://127.0.0.1:" + port() + "/e";
    }

    /** A path in the export, whose file system is open until the server ends. */
    public Path path(String path) throws IOException {
        FileSystem nfs = opened == null ? fileSystem() : opened;
        opened = nfs;
        return nfs.getPath(path);
    }

    /** The export as a file system, which the caller closes. */
    public FileSystem fileSystem() throws IOException {
        return fileSystem("");
    }

    /** The file system of a path below the export. */
    public FileSystem fileSystem(String below) throws IOException {
        URI uri = URI.create(place() + below + "?proto=tcp&timeo=200&mountport=" + port());
        return FileSystems.newFileSystem(uri, Map.of());
    }

    public int port() {
        return server.addresses().get(0).getPort();
    }

    @Override
    public void close() throws IOException {
        try (server) {
            if (opened != null) {
                opened.close();
            }
        }
    }

    private static final class OneExport implements Mount3Server {
        @Override
        public Mountres3 mnt(XdrString path, ServerCall call) {
            return new Mountres3.Mnt3Ok(new Mountres3Ok(OneDirectoryServer.ROOT.data(), XdrInts.of(1)));
        }

        @Override
        public List<Mountbody> dump(ServerCall call) {
            return List.of();
        }

        @Override
        public void umnt(XdrString path, ServerCall call) {}

        @Override
        public void umntall(ServerCall call) {}

        @Override
        public List<Exportnode> export(ServerCall call) {
            return List.of(new Exportnode(XdrString.of("/e"), List.of()));
        }
    }
}
