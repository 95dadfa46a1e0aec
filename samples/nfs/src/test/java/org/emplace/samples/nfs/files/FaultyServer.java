// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.files;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.emplace.RpcServer;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.Access3Args;
import org.emplace.samples.nfs.protocol.Access3Res;
import org.emplace.samples.nfs.protocol.Access3Resok;
import org.emplace.samples.nfs.protocol.Commit3Args;
import org.emplace.samples.nfs.protocol.Commit3Res;
import org.emplace.samples.nfs.protocol.Commit3Resok;
import org.emplace.samples.nfs.protocol.Exportnode;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.Fsinfo3Args;
import org.emplace.samples.nfs.protocol.Fsinfo3Res;
import org.emplace.samples.nfs.protocol.Fsinfo3Resok;
import org.emplace.samples.nfs.protocol.Ftype3;
import org.emplace.samples.nfs.protocol.Getattr3Args;
import org.emplace.samples.nfs.protocol.Getattr3Res;
import org.emplace.samples.nfs.protocol.Getattr3Resok;
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
import org.emplace.samples.nfs.protocol.Read3Resok;
import org.emplace.samples.nfs.protocol.Setattr3Args;
import org.emplace.samples.nfs.protocol.Setattr3Res;
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
 * Serves files in memory, and fails: its disk fills up, it asks clients to wait, its network loses replies, and it crashes, which loses what
 * was written and not committed. Each file has a stable and a current content.
 */
final class FaultyServer implements Nfs3Server, AutoCloseable {
    static final int TRANSFER = 1024;
    private static final NfsFh3 ROOT = handle("");
    private static final WccData NO_WCC = new WccData(Optional.empty(), Optional.empty());
    private static final Nfstime3 TIME = new Nfstime3(1_000_000_000, 0);

    private final Map<NfsFh3, Contents> files = new HashMap<>();
    private final Random random;
    private final RpcServer server;
    private boolean faulty = true;
    private int boot;

    private static final class Contents {
        byte[] stable = new byte[0];
        byte[] current = new byte[0];
    }

    FaultyServer(String protocol, long seed, String... names) throws IOException {
        random = new Random(seed);
        for (String name : names) {
            files.put(handle(name), new Contents());
        }
        server = RpcServer.builder()
                .service(Nfs3Server.service(this))
                .service(Mount3Server.service(new OneExport()))
                .listen(URI.create(protocol + "://127.0.0.1:0"))
                .listen(URI.create("tcp://127.0.0.1:0"))
                .start();
    }

    private static NfsFh3 handle(String name) {
        return new NfsFh3(XdrOpaque.of(("file " + name).getBytes(StandardCharsets.US_ASCII)));
    }

    int port() {
        return server.addresses().get(0).getPort();
    }

    int mountPort() {
        return server.addresses().get(1).getPort();
    }

    /**
     * Loses what is not stable.
     *
     * @param disconnection ends all connections, so that nothing is answered over them
     */
    synchronized void crash(Runnable disconnection) {
        files.values().forEach(file -> file.current = file.stable.clone());
        boot++;
        disconnection.run();
    }

    /** Ends the failures. */
    synchronized void recover() {
        faulty = false;
    }

    /** What a crash would leave. */
    synchronized byte[] onDisk(String name) {
        return contents(handle(name)).stable.clone();
    }

    private boolean happens(int oneIn) {
        return faulty && random.nextInt(oneIn) == 0;
    }

    /** Loses the reply to a call now and then. */
    private void received(ServerCall call) {
        if (happens(2_000)) {
            call.connection().close();
        }
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
        received(call);
        return new Getattr3Res.Nfs3Ok(new Getattr3Resok(attributes(args.object())));
    }

    @Override
    public synchronized Lookup3Res lookup(Lookup3Args args, ServerCall call) {
        received(call);
        NfsFh3 file = handle(args.what().name().toString());
        return files.containsKey(file)
                ? new Lookup3Res.Nfs3Ok(new Lookup3Resok(file, Optional.of(attributes(file)), Optional.empty()))
                : new Lookup3Res.Default(Nfsstat3.NFS3ERR_NOENT, new Lookup3Resfail(Optional.empty()));
    }

    @Override
    public synchronized Access3Res access(Access3Args args, ServerCall call) {
        received(call);
        return new Access3Res.Nfs3Ok(new Access3Resok(Optional.of(attributes(args.object())), args.access()));
    }

    @Override
    public synchronized Setattr3Res setattr(Setattr3Args args, ServerCall call) {
        received(call);
        Contents file = contents(args.object());
        args.newAttributes().size().ifPresent(size -> {
            file.current = Arrays.copyOf(file.current, (int) size);
            file.stable = Arrays.copyOf(file.stable, (int) size);
        });
        return new Setattr3Res.Nfs3Ok(new Setattr3Resok(NO_WCC));
    }

    @Override
    public synchronized Read3Res read(Read3Args args, ServerCall call) {
        received(call);
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
        synchronized (this) {
            received(call);
            if (happens(40)) {
                Nfsstat3 status = random.nextInt(4) == 0 ? Nfsstat3.NFS3ERR_NOSPC : Nfsstat3.NFS3ERR_JUKEBOX;
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
        received(call);
        Contents file = contents(args.file());
        file.stable = file.current.clone();
        return new Commit3Res.Nfs3Ok(new Commit3Resok(NO_WCC, verifier()));
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
    public void close() {
        server.close();
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
