// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.mount;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.emplace.Rpc;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.CallOptions.Recovery;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RecoveryObserver;
import org.emplace.rpc.RpcClient;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.auth.gss.GssClient;
import org.emplace.rpc.auth.gss.GssCredentials;
import org.emplace.samples.nfs.client.RemotePath;
import org.emplace.samples.nfs.client.calls.DirectoryCache;
import org.emplace.samples.nfs.client.calls.DirectoryReader;
import org.emplace.samples.nfs.client.calls.JukeboxRetry;
import org.emplace.samples.nfs.client.calls.PathWalk;
import org.emplace.samples.nfs.client.calls.RemoteFiles;
import org.emplace.samples.nfs.client.calls.RemoteFiles.RemoteNode;
import org.emplace.samples.nfs.client.contents.BufferPool;
import org.emplace.samples.nfs.client.contents.CachedFiles;
import org.emplace.samples.nfs.client.contents.FileReader;
import org.emplace.samples.nfs.client.contents.FileWriter;
import org.emplace.samples.nfs.protocol.Fsinfo3Resok;
import org.emplace.samples.nfs.protocol.Mount3;
import org.emplace.samples.nfs.protocol.Nfs3;
import org.emplace.samples.nfs.protocol.Nfs3Client;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Sattr3;
import org.emplace.xdr.XdrString;
import org.jspecify.annotations.Nullable;

/**
 * A mounted export: a connection that recovers when it is lost, and the operations over it. Safe for use by several threads. Calls carry
 * AUTH_SYS credentials, by default those of this process, or are made by Kerberos.
 */
public final class NfsMount implements AutoCloseable {
    private static final int TRANSFERS_IN_FLIGHT = 16;
    /** The port of NFS over TCP, if neither the address nor rpcbind has one. For NFS over RDMA it is the binding's. */
    private static final int NFS_PORT = 2049;

    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private final RemotePath where;
    private final List<XdrString> export;
    private final List<List<XdrString>> exports;
    private final RemoteNode root;
    private final RpcConnection connection;
    private final DirectoryCache cache = new DirectoryCache();
    private final RemoteFiles files;
    private final DirectoryReader directories;
    private final CachedFiles contents;
    private final BufferPool readBuffers;
    private final BufferPool writeBuffers;

    private NfsMount(
            RemotePath where,
            MountService.Export export,
            RpcConnection connection,
            Nfs3Client client,
            CallOptions calling,
            MountOptions options)
            throws IOException, InterruptedException {
        this.where = where;
        this.export = export.path();
        this.exports = export.all();
        this.connection = connection;
        JukeboxRetry retry = new JukeboxRetry(options.recovery() == Recovery.HARD ? FOR_EVER : calling.timeout());
        this.files = new RemoteFiles(client, retry, cache);
        this.directories = new DirectoryReader(client, files, retry);
        Fsinfo3Resok limits = files.info(export.root());
        this.root = files.node(export.root(), limits.objAttributes());
        this.readBuffers = buffers(limits.rtmax(), options.readSize());
        this.writeBuffers = buffers(limits.wtmax(), options.writeSize());
        this.contents = new CachedFiles(
                files, new FileReader(client, readBuffers, retry), new FileWriter(client, writeBuffers, retry));
    }

    private BufferPool buffers(long largestTransfer, int wanted) throws IOException {
        if (largestTransfer == 0) {
            throw new IOException("The server reports a largest transfer of 0 bytes");
        }
        int size = (int) Math.min(largestTransfer, wanted);
        return new BufferPool(connection.memory(), TRANSFERS_IN_FLIGHT, size);
    }

    /**
     * Mounts the export that holds a location.
     *
     * @throws IOException if the server cannot be reached, or refuses; the message is one line
     */
    public static NfsMount of(RemotePath where, MountOptions options) throws IOException, InterruptedException {
        CallOptions calling = CallOptions.DEFAULT
                .withTimeout(options.timeout())
                .withRecovery(options.recovery())
                .withAuth(CallerIdentity.authSys(options.uid(), options.gid()));
        ConnectionOptions connecting = ConnectionOptions.DEFAULT.withConnectTimeout(options.timeout());
        URI mountService = locate("tcp", where.host(), options.mountPort(), Mount3.PROGRAM, MountOptions.MOUNT_PORT);
        MountService.Export export =
                MountService.mount(mountService, where.components(), connecting, calling, options.flavor());
        URI address = locate(
                options.protocol(), where.host(), where.port().orElse(MountOptions.ANY_PORT), Nfs3.PROGRAM, NFS_PORT);
        Reconnections reconnections = new Reconnections();
        RpcConnection connection = secured(
                Rpc.client(
                        address,
                        connecting.withObserver(options.observer()).withRecoveryObserver(reconnections),
                        Nfs3.PROGRAM),
                where.host(),
                options);
        boolean mounted = false;
        try {
            NfsMount mount = new NfsMount(
                    where, export, connection, Nfs3Client.on(connection).with(calling), calling, options);
            reconnections.contents = mount.contents;
            mounted = true;
            return mount;
        } finally {
            if (!mounted) {
                connection.close();
            }
        }
    }

    private static RpcClient secured(RpcClient client, String host, MountOptions options) {
        GssCredentials credentials =
                options.keytab().isPresent() && options.principal().isPresent()
                        ? GssCredentials.keytab(
                                options.principal().get(), options.keytab().get())
                        : GssCredentials.ticketCache();
        return options.flavor()
                .service()
                .<RpcClient>map(service -> new GssClient(client, "nfs@" + principalHost(host), credentials, service))
                .orElse(client);
    }

    /**
     * The name that principals of the host's services have: as the user gave it, because DNS is not authenticated, and its answer could name another
     * machine of the realm. Only an address needs DNS.
     */
    private static String principalHost(String host) {
        boolean isAddress = host.indexOf(':') >= 0 || host.matches("[0-9.]+");
        if (!isAddress) {
            return host;
        }
        try {
            InetAddress address = InetAddress.getByName(host);
            String name = address.getCanonicalHostName();
            return name.equals(address.getHostAddress()) ? host : name;
        } catch (UnknownHostException unknown) {
            return host; // connecting fails too, and says why
        }
    }

    /** Tells the open files that the server may have restarted. Before the mount is complete there are none. */
    private static final class Reconnections implements RecoveryObserver {
        private volatile @Nullable CachedFiles contents;

        @Override
        public void reconnected(URI address, RpcClient client) {
            @Nullable CachedFiles files = contents;
            if (files != null) {
                files.reconnected();
            }
        }
    }

    private static URI locate(String scheme, String host, int port, RpcProgram program, int usualPort)
            throws IOException {
        try {
            return Rpc.locate(address(scheme, host, port), program);
        } catch (RpcException unknown) {
            return address(scheme, host, usualPort);
        }
    }

    private static URI address(String scheme, String host, int port) throws IOException {
        try {
            String inUrl = RemotePath.bracketed(host);
            return new URI(scheme, port < 0 ? inUrl : inUrl + ":" + port, null, null, null);
        } catch (URISyntaxException e) {
            throw new IOException("'" + host + "' is not a host's name or address", e);
        }
    }

    /** Resolves a path from the export's root. */
    public PathWalk.Place locate(List<XdrString> inExport, boolean followLast)
            throws IOException, InterruptedException {
        return new PathWalk(files, cache, export, root).locate(inExport, followLast);
    }

    /** Resolves a directory; may use entries of the cache that are a few seconds old. */
    public RemoteNode directory(List<XdrString> inExport) throws IOException, InterruptedException {
        return new PathWalk(files, cache, export, root).directory(inExport);
    }

    /** Creates a directory, and adds it to the cache, so that paths through it need no further calls. */
    public RemoteNode createDirectory(List<XdrString> inExport, NfsFh3 in, Sattr3 attributes)
            throws IOException, InterruptedException {
        long generation = cache.generation();
        RemoteNode created = files.createDirectory(in, inExport.get(inExport.size() - 1), attributes);
        cache.addCreated(inExport, in, created, generation);
        return created;
    }

    /** Empties the cache of directories. */
    public void forgetDirectories() {
        cache.clear();
    }

    /** The server and the export's path there. */
    public RemotePath exportPath() {
        return new RemotePath(where.host(), where.port(), export, "");
    }

    /** Whether the server had another export, when this one was mounted, that lies in it and holds a path. */
    public boolean isOfInnerExport(List<XdrString> inExport) {
        List<XdrString> path = new ArrayList<>(export);
        path.addAll(inExport);
        return exports.stream()
                .anyMatch(other -> other.size() > export.size()
                        && RemotePath.withoutPrefix(other, path).isPresent());
    }

    /** Operations on single files. */
    public RemoteFiles files() {
        return files;
    }

    /** Lists directories. */
    public DirectoryReader directories() {
        return directories;
    }

    /** The contents of open files. */
    public CachedFiles contents() {
        return contents;
    }

    /** Ends the connection. */
    @Override
    public void close() {
        connection.close();
        readBuffers.close();
        writeBuffers.close();
    }
}
