// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.emplace.Rpc;
import org.emplace.rpc.RpcConnection;
import org.emplace.samples.nfs.protocol.v4.Component4;
import org.emplace.samples.nfs.protocol.v4.Compound4Res;
import org.emplace.samples.nfs.protocol.v4.Constants;
import org.emplace.samples.nfs.protocol.v4.CreateSession4Args;
import org.emplace.samples.nfs.protocol.v4.Locker4;
import org.emplace.samples.nfs.protocol.v4.Lockt4Res;
import org.emplace.samples.nfs.protocol.v4.Nfs4CompoundCall;
import org.emplace.samples.nfs.protocol.v4.NfsFh4;
import org.emplace.samples.nfs.protocol.v4.NfsLockType4;
import org.emplace.samples.nfs.protocol.v4.NfsResop4;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.samples.nfs.protocol.v4.Open4Res;
import org.emplace.samples.nfs.protocol.v4.OpenToLockOwner4;
import org.emplace.samples.nfs.protocol.v4.Sequence4Res;
import org.emplace.samples.nfs.protocol.v4.StableHow4;
import org.emplace.samples.nfs.protocol.v4.Stateid4;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Opens and locks of version 4.1, also after a restart of the server, by the generated client, over TCP and software iWARP. */
final class Nfs4LocksTest {
    private static final int BOTH = Constants.OPEN4_SHARE_ACCESS_BOTH;
    private static final int NONE = Constants.OPEN4_SHARE_DENY_NONE;

    @AutoClose
    private final Served4 served;

    private final Path first;

    Nfs4LocksTest(@TempDir Path temporary) throws IOException {
        served = new Served4(temporary);
        first = served.first;
    }

    @Test
    void anOpenThatComesTooEarlyCreatesNothing() throws Exception {
        try (Client4 client = new Client4(served.address("tcp"), "early", false)) {
            Nfs4CompoundCall early = client.at(first, false);
            client.create(early, "owner", "file", BOTH, NONE);
            assertThat(early.await().status()).isEqualTo(Nfsstat4.NFS4ERR_GRACE);
            assertThat(first).isEmptyDirectory();
        }
    }

    @Test
    void anOpenDeniesOthersWhatItSays() throws Exception {
        try (Client4 one = served.client("tcp", "one");
                Client4 two = served.client("rdma", "two")) {
            Nfs4CompoundCall open = one.at(first, true);
            var opened = one.create(open, "a", "file", BOTH, Constants.OPEN4_SHARE_DENY_WRITE);
            var file = open.getFh();
            assertThat(open.await().status()).isEqualTo(Nfsstat4.NFS4_OK);

            Nfs4CompoundCall refused = two.at(first, true);
            two.open(refused, "b", "file", BOTH, NONE);
            assertThat(refused.await().status()).isEqualTo(Nfsstat4.NFS4ERR_SHARE_DENIED);

            Nfs4CompoundCall write = two.call(false);
            write.putFh(file.get().object());
            write.write(Client4.ANONYMOUS, 0, StableHow4.UNSTABLE4, Payload.of(ByteBuffer.allocate(1)));
            assertThat(write.await().status()).isEqualTo(Nfsstat4.NFS4ERR_LOCKED);

            Nfs4CompoundCall close = one.call(true);
            close.putFh(file.get().object());
            close.close(0, opened.get().stateid());
            assertThat(close.await().status()).isEqualTo(Nfsstat4.NFS4_OK);

            Nfs4CompoundCall now = two.at(first, true);
            two.open(now, "b", "file", BOTH, NONE);
            assertThat(now.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
        }
    }

    @Test
    void aLockExcludesThatOfAnotherClient() throws Exception {
        try (Client4 one = served.client("tcp", "one");
                Client4 two = served.client("rdma", "two")) {
            Opened of = open(one);
            Opened by = open(two);
            Nfs4CompoundCall lock = one.call(true);
            lock.putFh(of.file());
            var locked = lock.lock(NfsLockType4.WRITE_LT, false, 10, 10, first(one, of));
            assertThat(lock.await().status()).isEqualTo(Nfsstat4.NFS4_OK);

            Nfs4CompoundCall denied = two.call(true);
            denied.putFh(by.file());
            denied.lock(NfsLockType4.READ_LT, false, 15, 10, first(two, by));
            assertThat(denied.await().status()).isEqualTo(Nfsstat4.NFS4ERR_DENIED);

            Nfs4CompoundCall test = two.call(false);
            test.putFh(by.file());
            test.lockt(NfsLockType4.WRITE_LT, 20, 10, two.owner("lock"));
            test.lockt(NfsLockType4.READ_LT, 19, 1, two.owner("lock"));
            Compound4Res tested = test.await();
            assertThat(tested.status()).isEqualTo(Nfsstat4.NFS4ERR_DENIED);
            assertThat(tested.resarray()).hasSize(4);
            Lockt4Res byOther = ((NfsResop4.Lockt) tested.resarray().get(3)).oplockt();
            assertThat(((Lockt4Res.Nfs4ErrDenied) byOther)
                            .denied()
                            .owner()
                            .clientid()
                            .value())
                    .isZero();

            Nfs4CompoundCall unlock = one.call(true);
            unlock.putFh(of.file());
            unlock.locku(NfsLockType4.WRITE_LT, 0, locked.get().lockStateid(), 10, 10);
            unlock.putFh(of.file());
            var statuses = unlock.testStateid(List.of(Client4.CURRENT, of.stateId()));
            assertThat(unlock.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
            assertThat(statuses.get().tsrStatusCodes()).containsExactly(Nfsstat4.NFS4ERR_BAD_STATEID, Nfsstat4.NFS4_OK);

            Nfs4CompoundCall now = two.call(true);
            now.putFh(by.file());
            now.lock(NfsLockType4.READ_LT, false, 15, 10, first(two, by));
            assertThat(now.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void aLockSurvivesACrashOfTheServer(String transport) throws Exception {
        NfsFh4 file;
        try (Client4 holder = served.client(transport, "holder");
                Client4 other = served.client("tcp", "other")) {
            Opened opened = open(holder);
            file = opened.file();
            assertThat(lock(holder, opened, false)).isEqualTo(Nfsstat4.NFS4_OK);
            open(other);
            served.crash();
            try (RpcConnection again = Rpc.connect(served.address(transport))) {
                assertThat(holder.call(Client4.on(again), 9, false).await().status())
                        .isEqualTo(Nfsstat4.NFS4ERR_BADSESSION);
                Nfs4CompoundCall create = Client4.on(again).compound(XdrOpaque.EMPTY, 1);
                create.createSession(new CreateSession4Args(holder.id, 2, 0, Client4.FORE, Client4.BACK, 0, List.of()));
                assertThat(create.await().status()).isEqualTo(Nfsstat4.NFS4ERR_STALE_CLIENTID);
            }
        }
        try (Client4 holder = new Client4(served.address(transport), "holder", false);
                Client4 other = new Client4(served.address("tcp"), "other", false);
                Client4 unknown = new Client4(served.address("tcp"), "unknown", false)) {
            Opened byOther = reclaim(other, file);
            assertThat(lock(other, byOther, false)).isEqualTo(Nfsstat4.NFS4ERR_GRACE);
            assertThat(reclaimed(unknown, file).status()).isEqualTo(Nfsstat4.NFS4ERR_NO_GRACE);

            Opened byHolder = reclaim(holder, file);
            assertThat(lock(holder, byHolder, true)).isEqualTo(Nfsstat4.NFS4_OK);
            assertThat(complete(other)).isEqualTo(Nfsstat4.NFS4_OK);
            assertThat(lock(other, byOther, false)).isEqualTo(Nfsstat4.NFS4ERR_GRACE);

            assertThat(complete(holder)).isEqualTo(Nfsstat4.NFS4_OK);
            assertThat(complete(holder)).isEqualTo(Nfsstat4.NFS4ERR_COMPLETE_ALREADY);
            assertThat(lock(other, byOther, false)).isEqualTo(Nfsstat4.NFS4ERR_DENIED);
            assertThat(lock(holder, byHolder, true)).isEqualTo(Nfsstat4.NFS4ERR_NO_GRACE);
            assertThat(reclaimed(holder, file).status()).isEqualTo(Nfsstat4.NFS4ERR_NO_GRACE);
        }
    }

    /** Whoever created a file may have opened it with more rights than its mode gives, and reclaims that. Others cannot. */
    @Test
    void anOwnerReclaimsWhatTheModeAloneWouldNotGive() throws Exception {
        long root = ((Number) Files.getAttribute(first, "unix:uid")).longValue();
        long owner = root == 0 ? 1000 : root; // without the rights of root, the server acts as itself
        Files.setAttribute(first, "unix:mode", 0777);
        NfsFh4 file;
        try (Client4 holder = served.client("tcp", "holder")) {
            Nfs4CompoundCall call = Client4.walk(by(holder, owner), first);
            holder.create(call, "owner", "file", BOTH, NONE);
            var handle = call.getFh();
            call.setattr(Client4.ANONYMOUS, Client4.mode(0400));
            assertThat(call.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
            file = handle.get().object();
        }
        served.crash();
        try (Client4 holder = new Client4(served.address("tcp"), "holder", false)) {
            for (long uid : new long[] {owner + 1, owner}) {
                Nfs4CompoundCall call = by(holder, uid);
                call.putFh(file);
                holder.reclaim(call, "owner", BOTH, NONE);
                assertThat(call.await().status()).isEqualTo(uid == owner ? Nfsstat4.NFS4_OK : Nfsstat4.NFS4ERR_ACCESS);
            }
        }
    }

    private static Nfs4CompoundCall by(Client4 client, long uid) {
        return client.call(Client4.on(client.connection, uid), client.nextSequence(), true);
    }

    private static Nfsstat4 complete(Client4 client) throws Exception {
        Nfs4CompoundCall call = client.call(false);
        call.reclaimComplete(false);
        return call.await().status();
    }

    /** Locks the whole file, as the owner {@code lock}. */
    private static Nfsstat4 lock(Client4 client, Opened open, boolean isReclaim) throws Exception {
        Nfs4CompoundCall lock = client.call(true);
        lock.putFh(open.file());
        lock.lock(NfsLockType4.WRITE_LT, isReclaim, 0, -1, first(client, open));
        return lock.await().status();
    }

    /** Reclaims the open of a file, which succeeds. */
    private static Opened reclaim(Client4 client, NfsFh4 file) throws Exception {
        Compound4Res reply = reclaimed(client, file);
        assertThat(reply.status()).isEqualTo(Nfsstat4.NFS4_OK);
        Sequence4Res sequence = ((NfsResop4.Sequence) reply.resarray().get(0)).opsequence();
        assertThat(((Sequence4Res.Nfs4Ok) sequence).srResok4().srStatusFlags())
                .isEqualTo(Constants.SEQ4_STATUS_RESTART_RECLAIM_NEEDED);
        Open4Res open = ((NfsResop4.Open) reply.resarray().get(2)).opopen();
        return new Opened(file, ((Open4Res.Nfs4Ok) open).resok4().stateid());
    }

    private static Compound4Res reclaimed(Client4 client, NfsFh4 file) throws Exception {
        Nfs4CompoundCall call = client.call(true);
        call.putFh(file);
        client.reclaim(call, "owner", BOTH, NONE);
        return call.await();
    }

    /** Names stay while clients may reclaim what they name, and I/O without an open waits. */
    @Test
    void nothingIsChangedUnderWhatMayBeReclaimed() throws Exception {
        try (Client4 holder = served.client("tcp", "holder")) {
            open(holder);
        }
        served.crash();
        try (Client4 other = served.client("tcp", "other")) {
            List<Consumer<Nfs4CompoundCall>> changes = List.of(
                    call -> call.remove(Component4.of("file")),
                    call -> {
                        call.saveFh();
                        call.rename(Component4.of("file"), Component4.of("renamed"));
                    },
                    call -> {
                        call.lookup(Component4.of("file"));
                        call.setattr(
                                Client4.ANONYMOUS, Client4.attribute(Constants.FATTR4_SIZE, out -> out.writeHyper(0)));
                    },
                    call -> {
                        call.lookup(Component4.of("file"));
                        call.read(Client4.ANONYMOUS, 0, 1, null);
                    },
                    call -> other.create(call, "owner", "new", BOTH, NONE));
            for (Consumer<Nfs4CompoundCall> change : changes) {
                Nfs4CompoundCall call = other.at(first, true);
                change.accept(call);
                assertThat(call.await().status()).isEqualTo(Nfsstat4.NFS4ERR_GRACE);
            }
            assertThat(first).isDirectoryContaining("glob:**/file");
            served.client("tcp", "holder").close(); // it has nothing to reclaim
            for (Consumer<Nfs4CompoundCall> change : List.of(changes.get(1), changes.get(4))) {
                Nfs4CompoundCall call = other.at(first, true);
                change.accept(call);
                assertThat(call.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
            }
        }
    }

    private record Opened(NfsFh4 file, Stateid4 stateId) {}

    private Opened open(Client4 client) throws Exception {
        Nfs4CompoundCall open = client.at(first, true);
        var opened = client.create(open, "owner", "file", BOTH, NONE);
        var file = open.getFh();
        open.await();
        return new Opened(file.get().object(), opened.get().stateid());
    }

    private static Locker4 first(Client4 client, Opened open) {
        return new Locker4.True(new OpenToLockOwner4(0, open.stateId(), 0, client.owner("lock")));
    }
}
