// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.emplace.Rpc;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.RpcClient;
import org.emplace.rpc.auth.AuthSys;
import org.emplace.samples.nfs.client.calls.RemoteAttributes;
import org.emplace.samples.nfs.protocol.Create3Args;
import org.emplace.samples.nfs.protocol.Create3Res;
import org.emplace.samples.nfs.protocol.Createhow3.Unchecked;
import org.emplace.samples.nfs.protocol.Createmode3;
import org.emplace.samples.nfs.protocol.Diropargs3;
import org.emplace.samples.nfs.protocol.Mount3;
import org.emplace.samples.nfs.protocol.Mount3Client;
import org.emplace.samples.nfs.protocol.Mountres3;
import org.emplace.samples.nfs.protocol.Nfs3;
import org.emplace.samples.nfs.protocol.Nfs3Client;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.protocol.Remove3Args;
import org.emplace.samples.nfs.protocol.Remove3Res;
import org.emplace.xdr.XdrString;
import org.emplace.xdr.XdrUnsignedInts;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a server busy until its standard input ends: {@code BusyClients ADDRESS MOUNT-ADDRESS EXPORT CONNECTIONS CALLS}.
 * Over each connection, this number of calls is on the way all the time; each creates a file or removes it. Exits with
 * status 1 if any call fails or is answered by another status than NFS3_OK or NFS3ERR_JUKEBOX.
 */
final class BusyClients {
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicLong answered = new AtomicLong();
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private final CountDownLatch running;
    private final NfsFh3 root;

    private BusyClients(NfsFh3 root, int calls) {
        this.root = root;
        this.running = new CountDownLatch(calls);
    }

    public static void main(String[] arguments) throws Exception {
        URI address = URI.create(arguments[0]);
        int connections = Integer.parseInt(arguments[3]);
        int calls = Integer.parseInt(arguments[4]);
        BusyClients clients = new BusyClients(mount(URI.create(arguments[1]), arguments[2]), connections * calls);
        CallOptions patient = CallOptions.DEFAULT
                .withTimeout(Duration.ofMinutes(10))
                .withAuth(new AuthSys(0, XdrString.of("busy"), 0, 0, XdrUnsignedInts.of()));
        for (int i = 0; i < connections; i++) {
            RpcClient connection = Rpc.client(address, Nfs3.PROGRAM);
            Nfs3Client nfs = Nfs3Client.on(connection).with(patient);
            for (int j = 0; j < calls; j++) {
                clients.create(nfs, new Diropargs3(clients.root, XdrString.of("busy-" + i + "-" + j)));
            }
        }
        while (System.in.read() >= 0) {}
        clients.stopped.set(true);
        boolean ended = clients.running.await(5, TimeUnit.MINUTES);
        String failure = ended ? clients.failure.get() : "some calls were not answered";
        System.out.println(clients.answered + " calls" + (failure == null ? "" : ", " + failure));
        System.exit(failure == null ? 0 : 1);
    }

    private static NfsFh3 mount(URI address, String export) throws Exception {
        try (RpcClient connection = Rpc.connect(address, Mount3.PROGRAM)) {
            if (Mount3Client.on(connection).mnt(XdrString.of(export)) instanceof Mountres3.Mnt3Ok mounted) {
                return new NfsFh3(mounted.mountinfo().fhandle());
            }
            throw new IllegalStateException(export + " cannot be mounted");
        }
    }

    private void create(Nfs3Client nfs, Diropargs3 file) {
        Unchecked how = new Unchecked(Createmode3.UNCHECKED, RemoteAttributes.UNCHANGED);
        nfs.createAsync(new Create3Args(file, how))
                .completion()
                .thenApply(Create3Res::status)
                .whenComplete((status, failed) ->
                        goOn("CREATE", status, failed, () -> create(nfs, file), () -> remove(nfs, file)));
    }

    private void remove(Nfs3Client nfs, Diropargs3 file) {
        nfs.removeAsync(new Remove3Args(file))
                .completion()
                .thenApply(Remove3Res::status)
                .whenComplete((status, failed) ->
                        goOn("REMOVE", status, failed, () -> remove(nfs, file), () -> create(nfs, file)));
    }

    private void goOn(
            String procedure, @Nullable Nfsstat3 status, @Nullable Throwable failed, Runnable again, Runnable next) {
        answered.incrementAndGet();
        boolean delayed = status == Nfsstat3.NFS3ERR_JUKEBOX;
        boolean served = delayed || status == Nfsstat3.NFS3_OK;
        if (!served) {
            failure.compareAndSet(null, procedure + ": " + (failed == null ? status : failed));
        }
        if (!served || stopped.get()) {
            running.countDown();
        } else if (delayed) {
            again.run();
        } else {
            next.run();
        }
    }
}
