// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.files;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.emplace.RpcServer;
import org.emplace.rpc.CuttingProxy;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.Access3Args;
import org.emplace.samples.nfs.protocol.Access3Res;
import org.emplace.samples.nfs.protocol.Access3Resfail;
import org.emplace.samples.nfs.protocol.Access3Resok;
import org.emplace.samples.nfs.protocol.Commit3Args;
import org.emplace.samples.nfs.protocol.Commit3Res;
import org.emplace.samples.nfs.protocol.Commit3Resfail;
import org.emplace.samples.nfs.protocol.Commit3Resok;
import org.emplace.samples.nfs.protocol.Create3Args;
import org.emplace.samples.nfs.protocol.Create3Res;
import org.emplace.samples.nfs.protocol.Create3Resfail;
import org.emplace.samples.nfs.protocol.Create3Resok;
import org.emplace.samples.nfs.protocol.Exportnode;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.Fsinfo3Args;
import org.emplace.samples.nfs.protocol.Fsinfo3Res;
import org.emplace.samples.nfs.protocol.Fsinfo3Resok;
import org.emplace.samples.nfs.protocol.Ftype3;
import org.emplace.samples.nfs.protocol.Getattr3Args;
import org.emplace.samples.nfs.protocol.Getattr3Res;
import org.emplace.samples.nfs.protocol.Getattr3Resok;
import org.emplace.samples.nfs.protocol.Link3Args;
import org.emplace.samples.nfs.protocol.Link3Res;
import org.emplace.samples.nfs.protocol.Link3Resfail;
import org.emplace.samples.nfs.protocol.Link3Resok;
import org.emplace.samples.nfs.protocol.Lookup3Args;
import org.emplace.samples.nfs.protocol.Lookup3Res;
import org.emplace.samples.nfs.protocol.Lookup3Resfail;
import org.emplace.samples.nfs.protocol.Lookup3Resok;
import org.emplace.samples.nfs.protocol.Mount3Server;
import org.emplace.samples.nfs.protocol.Mountres3;
import org.emplace.samples.nfs.protocol.Mountres3Ok;
import org.emplace.samples.nfs.protocol.Nfs3Server;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.protocol.Nfstime3;
import org.emplace.samples.nfs.protocol.Read3Args;
import org.emplace.samples.nfs.protocol.Read3Res;
import org.emplace.samples.nfs.protocol.Read3Resfail;
import org.emplace.samples.nfs.protocol.Read3Resok;
import org.emplace.samples.nfs.protocol.Remove3Args;
import org.emplace.samples.nfs.protocol.Remove3Res;
import org.emplace.samples.nfs.protocol.Remove3Resfail;
import org.emplace.samples.nfs.protocol.Remove3Resok;
import org.emplace.samples.nfs.protocol.Rename3Args;
import org.emplace.samples.nfs.protocol.Rename3Res;
import org.emplace.samples.nfs.protocol.Rename3Resfail;
import org.emplace.samples.nfs.protocol.Rename3Resok;
import org.emplace.samples.nfs.protocol.Setattr3Args;
import org.emplace.samples.nfs.protocol.Setattr3Res;
import org.emplace.samples.nfs.protocol.Setattr3Resfail;
import org.emplace.samples.nfs.protocol.Setattr3Resok;
import org.emplace.samples.nfs.protocol.Specdata3;
import org.emplace.samples.nfs.protocol.StableHow;
import org.emplace.samples.nfs.protocol.WccData;
import org.emplace.samples.nfs.protocol.Write3Args;
import org.emplace.samples.nfs.protocol.Write3Res;
import org.emplace.samples.nfs.protocol.Write3Resfail;
import org.emplace.samples.nfs.protocol.Write3Resok;
import org.emplace.samples.nfs.protocol.Writeverf3;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrInts;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;

/**
 * Serves files in memory to two clients, and fails: its disk fills up, it asks clients to wait, its network cuts connections or goes silent, and
 * it crashes, which loses what was written and not committed. Each file has a stable and a current content; names are stable.
 *
 * <p>Once a client has a new connection, no call of an older one is run: what a client has given up may otherwise arrive late (decision 15).
 */
final class FaultyServer implements Nfs3Server, AutoCloseable {
    static final int TRANSFER = 1024;
    private static final NfsFh3 ROOT = handle("root");
    private static final WccData NO_WCC = new WccData(Optional.empty(), Optional.empty());
    private static final Nfstime3 TIME = new Nfstime3(1_000_000_000, 0);
    private static final int MOST_TRIES = 100;
    private static final int BYTES_UNTIL_CUT = 400_000;

    private final Map<XdrString, NfsFh3> names = new HashMap<>();
    private final Map<NfsFh3, Contents> files = new HashMap<>();
    private final Random random;
    private final boolean hasLinks;
    private final String protocol;
    private final RpcServer server;
    private final List<CuttingProxy> clients = new ArrayList<>();
    private boolean faulty;
    private int boot;

    private static final class Contents {
        byte[] stable = new byte[0];
        byte[] current = new byte[0];
    }

    /**
     * @param faulty whether its disk is full and it makes clients wait, now and then
     * @param cuts whether its network cuts connections
     */
    FaultyServer(String protocol, long seed, boolean faulty, boolean cuts, String... files) throws IOException {
        this.protocol = protocol;
        this.faulty = faulty;
        random = new Random(seed);
        hasLinks = random.nextBoolean();
        for (String name : files) {
            create(XdrString.of(name));
        }
        server = RpcServer.builder()
                .service(Nfs3Server.service(this))
                .service(Mount3Server.service(new OneExport()))
                .listen(URI.create(protocol + "://127.0.0.1:0"))
                .listen(URI.create("tcp://127.0.0.1:0"))
                .start();
        for (InetSocketAddress address : server.addresses()) {
            CuttingProxy proxy = new CuttingProxy(address.getPort());
            proxy.allowOne();
            if (cuts) {
                proxy.cutWithin(BYTES_UNTIL_CUT, seed);
            }
            clients.add(proxy);
        }
    }

    private static NfsFh3 handle(String name) {
        return new NfsFh3(XdrOpaque.of(("file " + name).getBytes(StandardCharsets.US_ASCII)));
    }

    /** Mounts the export as the first client, or by TCP as the second. */
    FileSystem mount(int client, int tenthsOfSeconds) throws IOException {
        URI address = clients.get(client).address("nfs");
        String scheme = client == 0 ? protocol : "tcp";
        URI uri = URI.create("%s/e?proto=%s&timeo=%d&mountport=%d"
                .formatted(
                        address,
                        scheme,
                        tenthsOfSeconds,
                        server.addresses().get(1).getPort()));
        for (int tries = 1; ; tries++) {
            try {
                return FileSystems.newFileSystem(uri, Map.of());
            } catch (IOException e) {
                if (tries == MOST_TRIES) {
                    throw e;
                }
            }
        }
    }

    /**
     * Loses what is not stable, and all connections.
     *
     * @param now called at this moment
     */
    synchronized void crash(Runnable now) {
        files.values().forEach(file -> file.current = file.stable.clone());
        boot++;
        now.run();
        cut();
    }

    /** Ends all connections. */
    void cut() {
        clients.forEach(CuttingProxy::cut);
    }

    /** Keeps the connections, and forwards nothing more. */
    void silence() {
        clients.forEach(CuttingProxy::silence);
    }

    /** Whether a file can always get a second name. */
    boolean hasLinks() {
        return hasLinks && !faulty;
    }

    /** Ends the failures. */
    synchronized void recover() {
        faulty = false;
    }

    /** What a crash would leave; nothing if there is no such file. */
    synchronized byte[] onDisk(String name) {
        NfsFh3 file = names.get(XdrString.of(name));
        return file == null ? new byte[0] : contents(file).stable.clone();
    }

    synchronized boolean exists(String name) {
        return names.containsKey(XdrString.of(name));
    }

    private boolean happens(int oneIn) {
        return faulty && random.nextInt(oneIn) == 0;
    }

    /** JUKEBOX for a call over a connection that is over: its client has given it up, or sends it again. */
    private Nfsstat3 status(NfsFh3 file, ServerCall call) {
        int port = call.connection().remoteAddress().getPort();
        if (clients.stream().noneMatch(client -> client.connects(port))) {
            return Nfsstat3.NFS3ERR_JUKEBOX;
        }
        return file.equals(ROOT) || files.containsKey(file) ? Nfsstat3.NFS3_OK : Nfsstat3.NFS3ERR_STALE;
    }

    private Contents contents(NfsFh3 file) {
        return Objects.requireNonNull(files.get(file));
    }

    private Fattr3 attributes(NfsFh3 file) {
        boolean root = file.equals(ROOT);
        long size = root ? 0 : contents(file).current.length;
        return new Fattr3(
                root ? Ftype3.NF3DIR : Ftype3.NF3REG,
                root ? 0755 : 0644,
                1,
                0,
                0,
                size,
                size,
                new Specdata3(0, 0),
                1,
                file.hashCode(),
                TIME,
                TIME,
                TIME);
    }

    @Override
    public synchronized Getattr3Res getattr(Getattr3Args args, ServerCall call) {
        Nfsstat3 status = status(args.object(), call);
        return status == Nfsstat3.NFS3_OK
                ? new Getattr3Res.Nfs3Ok(new Getattr3Resok(attributes(args.object())))
                : new Getattr3Res.Default(status);
    }

    @Override
    public synchronized Lookup3Res lookup(Lookup3Args args, ServerCall call) {
        NfsFh3 file = names.get(args.what().name());
        return file != null
                ? new Lookup3Res.Nfs3Ok(new Lookup3Resok(file, Optional.of(attributes(file)), Optional.empty()))
                : new Lookup3Res.Default(Nfsstat3.NFS3ERR_NOENT, new Lookup3Resfail(Optional.empty()));
    }

    @Override
    public synchronized Access3Res access(Access3Args args, ServerCall call) {
        Nfsstat3 status = status(args.object(), call);
        return status == Nfsstat3.NFS3_OK
                ? new Access3Res.Nfs3Ok(new Access3Resok(Optional.of(attributes(args.object())), args.access()))
                : new Access3Res.Default(status, new Access3Resfail(Optional.empty()));
    }

    /** Lets a call wait before it is run, so that its client may have given it up by then. */
    private void dawdle() {
        long millis;
        synchronized (this) {
            millis = happens(10) ? 1 + random.nextInt(30) : 0;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @Override
    public Setattr3Res setattr(Setattr3Args args, ServerCall call) {
        dawdle();
        return resized(args, call);
    }

    private synchronized Setattr3Res resized(Setattr3Args args, ServerCall call) {
        Nfsstat3 status = status(args.object(), call);
        if (status != Nfsstat3.NFS3_OK) {
            return new Setattr3Res.Default(status, new Setattr3Resfail(NO_WCC));
        }
        Contents file = contents(args.object());
        args.newAttributes().size().ifPresent(size -> {
            file.current = Arrays.copyOf(file.current, (int) size);
            file.stable = Arrays.copyOf(file.stable, (int) size);
        });
        return new Setattr3Res.Nfs3Ok(new Setattr3Resok(NO_WCC));
    }

    @Override
    public synchronized Read3Res read(Read3Args args, ServerCall call) {
        Nfsstat3 status = status(args.file(), call);
        if (status != Nfsstat3.NFS3_OK) {
            return new Read3Res.Default(status, new Read3Resfail(Optional.empty()));
        }
        byte[] bytes = contents(args.file()).current;
        int from = (int) Math.min(args.offset(), bytes.length);
        int length = (int) Math.min(Math.min(TRANSFER, args.count()), bytes.length - from);
        ByteBuffer copy = ByteBuffer.wrap(Arrays.copyOfRange(bytes, from, from + length));
        return new Read3Res.Nfs3Ok(
                new Read3Resok(Optional.empty(), length, from + length == bytes.length, Payload.of(copy)));
    }

    @Override
    public Write3Res write(Write3Args args, ServerCall call) throws IOException {
        byte[] data = new byte[(int) args.count()];
        args.data().buffer().get(data);
        dawdle();
        synchronized (this) {
            Nfsstat3 status = status(args.file(), call);
            if (status == Nfsstat3.NFS3_OK && happens(40)) {
                status = random.nextInt(4) == 0 ? Nfsstat3.NFS3ERR_NOSPC : Nfsstat3.NFS3ERR_JUKEBOX;
            }
            if (status != Nfsstat3.NFS3_OK) {
                return new Write3Res.Default(status, new Write3Resfail(NO_WCC));
            }
            int length = data.length >= 32 && happens(20) ? data.length / 32 * 16 : data.length; // whole records
            Contents file = contents(args.file());
            file.current = with(file.current, (int) args.offset(), data, length);
            if (args.stable() != StableHow.UNSTABLE) {
                file.stable = with(file.stable, (int) args.offset(), data, length);
            }
            return new Write3Res.Nfs3Ok(new Write3Resok(NO_WCC, length, args.stable(), verifier()));
        }
    }

    private static byte[] with(byte[] bytes, int offset, byte[] data, int length) {
        byte[] changed = Arrays.copyOf(bytes, Math.max(bytes.length, offset + length));
        System.arraycopy(data, 0, changed, offset, length);
        return changed;
    }

    private Writeverf3 verifier() {
        return Writeverf3.of(ByteBuffer.allocate(8).putLong(boot).array());
    }

    @Override
    public synchronized Commit3Res commit(Commit3Args args, ServerCall call) {
        Nfsstat3 status = status(args.file(), call);
        if (status != Nfsstat3.NFS3_OK) {
            return new Commit3Res.Default(status, new Commit3Resfail(NO_WCC));
        }
        Contents file = contents(args.file());
        file.stable = file.current.clone();
        return new Commit3Res.Nfs3Ok(new Commit3Resok(NO_WCC, verifier()));
    }

    private NfsFh3 create(XdrString name) {
        NfsFh3 file = handle(name + " " + random.nextLong());
        files.put(file, new Contents());
        names.put(name, file);
        return file;
    }

    @Override
    public synchronized Create3Res create(Create3Args args, ServerCall call) {
        XdrString name = args.where().name();
        Nfsstat3 status = orFault(status(ROOT, call));
        if (status == Nfsstat3.NFS3_OK && !names.containsKey(name)) {
            NfsFh3 file = create(name);
            return new Create3Res.Nfs3Ok(new Create3Resok(Optional.of(file), Optional.of(attributes(file)), NO_WCC));
        }
        return new Create3Res.Default(
                status == Nfsstat3.NFS3_OK ? Nfsstat3.NFS3ERR_EXIST : status, new Create3Resfail(NO_WCC));
    }

    /** A change of names may fail, too. */
    private Nfsstat3 orFault(Nfsstat3 status) {
        return status == Nfsstat3.NFS3_OK && happens(15) ? Nfsstat3.NFS3ERR_NOSPC : status;
    }

    @Override
    public Remove3Res remove(Remove3Args args, ServerCall call) {
        dawdle();
        return removed(args, call);
    }

    private synchronized Remove3Res removed(Remove3Args args, ServerCall call) {
        Nfsstat3 status = named(args.object().name(), call);
        if (status == Nfsstat3.NFS3_OK) {
            unlink(args.object().name());
            return new Remove3Res.Nfs3Ok(new Remove3Resok(NO_WCC));
        }
        return new Remove3Res.Default(status, new Remove3Resfail(NO_WCC));
    }

    @Override
    public Rename3Res rename(Rename3Args args, ServerCall call) {
        dawdle();
        return renamed(args, call);
    }

    private synchronized Rename3Res renamed(Rename3Args args, ServerCall call) {
        XdrString name = args.from().name();
        XdrString target = args.to().name();
        Nfsstat3 status = named(name, call);
        if (status != Nfsstat3.NFS3_OK) {
            return new Rename3Res.Default(status, new Rename3Resfail(NO_WCC, NO_WCC));
        }
        NfsFh3 file = Objects.requireNonNull(names.get(name));
        if (!file.equals(names.get(target))) {
            unlink(target);
            names.put(target, file);
            names.remove(name);
        }
        return new Rename3Res.Nfs3Ok(new Rename3Resok(NO_WCC, NO_WCC));
    }

    @Override
    public synchronized Link3Res link(Link3Args args, ServerCall call) {
        Nfsstat3 status = hasLinks ? orFault(status(args.file(), call)) : Nfsstat3.NFS3ERR_NOTSUPP;
        if (status == Nfsstat3.NFS3_OK && names.putIfAbsent(args.link().name(), args.file()) != null) {
            status = Nfsstat3.NFS3ERR_EXIST;
        }
        if (status == Nfsstat3.NFS3_OK) {
            return new Link3Res.Nfs3Ok(new Link3Resok(Optional.empty(), NO_WCC));
        }
        return new Link3Res.Default(status, new Link3Resfail(Optional.empty(), NO_WCC));
    }

    private Nfsstat3 named(XdrString name, ServerCall call) {
        Nfsstat3 status = status(ROOT, call);
        return status == Nfsstat3.NFS3_OK && !names.containsKey(name) ? Nfsstat3.NFS3ERR_NOENT : orFault(status);
    }

    /** A file without a name is gone. */
    private void unlink(XdrString name) {
        NfsFh3 file = names.remove(name);
        if (file != null && !names.containsValue(file)) {
            files.remove(file);
        }
    }

    @Override
    public synchronized Fsinfo3Res fsinfo(Fsinfo3Args args, ServerCall call) {
        return new Fsinfo3Res.Nfs3Ok(new Fsinfo3Resok(
                Optional.empty(),
                TRANSFER,
                TRANSFER,
                1,
                TRANSFER,
                TRANSFER,
                1,
                4096,
                Long.MAX_VALUE,
                new Nfstime3(0, 1),
                0));
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (CuttingProxy client : clients) {
            client.close();
        }
    }

    private static final class OneExport implements Mount3Server {
        @Override
        public Mountres3 mnt(XdrString path, ServerCall call) {
            return new Mountres3.Mnt3Ok(new Mountres3Ok(ROOT.data(), XdrInts.of(1)));
        }

        @Override
        public void umnt(XdrString path, ServerCall call) {}

        @Override
        public List<Exportnode> export(ServerCall call) {
            return List.of(new Exportnode(XdrString.of("/e"), List.of()));
        }
    }
}
