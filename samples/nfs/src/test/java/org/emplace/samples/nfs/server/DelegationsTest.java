// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.emplace.samples.nfs.protocol.v4.Constants.OPEN4_SHARE_ACCESS_BOTH;
import static org.emplace.samples.nfs.protocol.v4.Constants.OPEN4_SHARE_ACCESS_READ;
import static org.emplace.samples.nfs.protocol.v4.Constants.OPEN4_SHARE_ACCESS_WANT_READ_DELEG;
import static org.emplace.samples.nfs.protocol.v4.Constants.OPEN4_SHARE_ACCESS_WANT_WRITE_DELEG;
import static org.emplace.samples.nfs.protocol.v4.Constants.OPEN4_SHARE_ACCESS_WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.emplace.Rpc;
import org.emplace.rpc.RpcClient;
import org.emplace.rpc.auth.AuthSys;
import org.emplace.samples.nfs.protocol.Getattr3Args;
import org.emplace.samples.nfs.protocol.Getattr3Res;
import org.emplace.samples.nfs.protocol.Nfs3Client;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.protocol.v4.AuthsysParms;
import org.emplace.samples.nfs.protocol.v4.Bitmap4;
import org.emplace.samples.nfs.protocol.v4.CallbackSecParms4;
import org.emplace.samples.nfs.protocol.v4.CbRecall4Args;
import org.emplace.samples.nfs.protocol.v4.CbSequence4Args;
import org.emplace.samples.nfs.protocol.v4.ChannelDirFromClient4;
import org.emplace.samples.nfs.protocol.v4.Component4;
import org.emplace.samples.nfs.protocol.v4.Constants;
import org.emplace.samples.nfs.protocol.v4.Nfs4CompoundCall;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.samples.nfs.protocol.v4.OpenClaim4;
import org.emplace.samples.nfs.protocol.v4.OpenClaimDelegateCur4;
import org.emplace.samples.nfs.protocol.v4.OpenDelegation4;
import org.emplace.samples.nfs.protocol.v4.Openflag4;
import org.emplace.samples.nfs.protocol.v4.Opentype4;
import org.emplace.samples.nfs.protocol.v4.StableHow4;
import org.emplace.samples.nfs.protocol.v4.WhyNoDelegation4;
import org.emplace.samples.nfs.server.CalledClient.Opened;
import org.emplace.samples.nfs.server.state.Callback.HeldAttributes;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;
import org.emplace.xdr.XdrUnsignedInts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Delegations and their recall over the connection of the client, by TCP and software iWARP. */
final class DelegationsTest {
    private static final int OPEN_ARGUMENTS = 86;

    @TempDir
    private Path temporary;

    private Served4 server;
    private Path directory;

    @BeforeEach
    void serve() throws IOException {
        server = new Served4(temporary, true);
        directory = server.first;
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private CalledClient holder(String transport) throws IOException, InterruptedException {
        return new CalledClient(server.address(transport), "holder");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void anOpenToWriteWaitsForTheReturnOfAReadDelegation(String transport) throws Exception {
        try (CalledClient holder = holder(transport);
                Client4 other = new Client4(server.address(transport), "other")) {
            Opened held = holder.open(directory, "file", OPEN4_SHARE_ACCESS_READ | OPEN4_SHARE_ACCESS_WANT_READ_DELEG);

            assertThat(open(other, OPEN4_SHARE_ACCESS_WRITE)).isEqualTo(Nfsstat4.NFS4ERR_DELAY);
            CbRecall4Args recall = holder.recall();
            assertThat(recall.stateid()).isEqualTo(held.delegation());
            assertThat(recall.fh()).isEqualTo(held.file());
            assertThat(open(other, OPEN4_SHARE_ACCESS_WRITE)).isEqualTo(Nfsstat4.NFS4ERR_DELAY);

            assertThat(holder.giveBack(recall)).isEqualTo(Nfsstat4.NFS4_OK);
            assertThat(open(other, OPEN4_SHARE_ACCESS_WRITE)).isEqualTo(Nfsstat4.NFS4_OK);
            assertThat(holder.callbacks()).hasSize(1);
        }
    }

    private Nfsstat4 open(Client4 client, int access) throws IOException, InterruptedException {
        Nfs4CompoundCall call = client.at(directory, false);
        client.open(call, "owner", "file", access, 0);
        return call.await().status();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void anOpenToReadWaitsForTheReturnOfAWriteDelegation(String transport) throws Exception {
        try (CalledClient holder = holder(transport);
                Client4 other = new Client4(server.address(transport), "other")) {
            holder.open(directory, "file", OPEN4_SHARE_ACCESS_BOTH | OPEN4_SHARE_ACCESS_WANT_WRITE_DELEG);

            assertThat(open(other, OPEN4_SHARE_ACCESS_READ)).isEqualTo(Nfsstat4.NFS4ERR_DELAY);
            assertThat(holder.giveBack(holder.recall())).isEqualTo(Nfsstat4.NFS4_OK);
            assertThat(open(other, OPEN4_SHARE_ACCESS_READ)).isEqualTo(Nfsstat4.NFS4_OK);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aCallbackHasTheMinorVersionOfItsSession(int minorVersion) throws Exception {
        try (CalledClient holder = new CalledClient(server.client("tcp", "holder", minorVersion));
                Client4 other = new Client4(server.address("tcp"), "other")) {
            holder.open(directory, "file", OPEN4_SHARE_ACCESS_READ | OPEN4_SHARE_ACCESS_WANT_READ_DELEG);
            assertThat(open(other, OPEN4_SHARE_ACCESS_WRITE)).isEqualTo(Nfsstat4.NFS4ERR_DELAY);
            holder.recall();
            assertThat(holder.minorVersion).isEqualTo(minorVersion);
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachConflictingAccessWaitsForTheReturn(ConflictingAccess access) throws Exception {
        Files.writeString(directory.resolve("another"), "content");
        Files.writeString(directory.resolve("file"), "content");
        try (CalledClient holder = holder("tcp");
                Client4 other = server.client("tcp", "other", 2)) {
            Opened held = holder.open(directory, "file", OPEN4_SHARE_ACCESS_BOTH | OPEN4_SHARE_ACCESS_WANT_WRITE_DELEG);
            Nfs4CompoundCall find = other.at(directory, false);
            var folder = find.getFh();
            find.await();
            Nfs3Client nfs = Nfs3Client.on(other.connection).with(Served.inTheNameOf(0, 0));
            var by = new ConflictingAccess.Other(
                    other, nfs, directory, folder.get().object(), held.file());

            assertThat(access.status(by)).isEqualTo(Nfsstat4.NFS4ERR_DELAY.value());
            assertThat(holder.giveBack(holder.recall())).isEqualTo(Nfsstat4.NFS4_OK);
            assertThat(access.status(by)).isEqualTo(Nfsstat4.NFS4_OK.value());
        }
    }

    @Test
    void aHolderMayReturnItsDelegationBeforeItAnswersTheRecall() throws Exception {
        try (CalledClient holder = holder("tcp");
                Client4 other = new Client4(server.address("tcp"), "other")) {
            Opened held = holder.open(directory, "file", OPEN4_SHARE_ACCESS_BOTH | OPEN4_SHARE_ACCESS_WANT_WRITE_DELEG);
            CompletableFuture<Nfsstat4> returned = new CompletableFuture<>();
            holder.recalled = recall -> {
                Nfs4CompoundCall call = holder.client.call(false);
                call.putFh(recall.fh());
                call.delegReturn(recall.stateid());
                var unused = call.start().completion().thenAccept(result -> returned.complete(result.status()));
                return Nfsstat4.NFS4_OK;
            };
            Nfs3Client nfs = Nfs3Client.on(other.connection).with(Served.inTheNameOf(0, 0));
            NfsFh3 handle = new NfsFh3(held.file().value());
            Awaitility.await().until(() -> nfs.getattr(new Getattr3Args(handle)).status() == Nfsstat3.NFS3_OK);
            assertThat(returned.get(20, TimeUnit.SECONDS)).isEqualTo(Nfsstat4.NFS4_OK);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void aSessionIsCreatedWithItsBackChannelAndItsFlavor(String transport) throws Exception {
        AuthsysParms user = new AuthsysParms(7, XdrString.of("callback"), 17, 19, XdrUnsignedInts.of());
        List<CallbackSecParms4> flavors = List.of(new CallbackSecParms4.AuthSys(user));
        try (CalledClient holder = new CalledClient(server.address(transport), "holder", flavors);
                Client4 other = new Client4(server.address(transport), "other")) {
            holder.open(directory, "file", OPEN4_SHARE_ACCESS_READ | OPEN4_SHARE_ACCESS_WANT_READ_DELEG);

            assertThat(open(other, OPEN4_SHARE_ACCESS_WRITE)).isEqualTo(Nfsstat4.NFS4ERR_DELAY);
            CbRecall4Args recall = holder.recall();
            assertThat(holder.caller).isEqualTo(new AuthSys(7, XdrString.of("callback"), 17, 19, XdrUnsignedInts.of()));
            assertThat(holder.giveBack(recall)).isEqualTo(Nfsstat4.NFS4_OK);
        }
    }

    @Test
    void aClientIsToldWhyItGetsNoDelegationIfItSaysWhatItWants() throws Exception {
        try (CalledClient holder = holder("tcp");
                CalledClient other = new CalledClient(server.address("tcp"), "other")) {
            assertThat(why(holder, OPEN4_SHARE_ACCESS_READ | Constants.OPEN4_SHARE_ACCESS_WANT_NO_DELEG))
                    .isEqualTo(WhyNoDelegation4.WND4_NOT_WANTED);
            assertThat(why(holder, OPEN4_SHARE_ACCESS_READ | Constants.OPEN4_SHARE_ACCESS_WANT_CANCEL))
                    .isEqualTo(WhyNoDelegation4.WND4_CANCELLED);
            assertThat(why(other, OPEN4_SHARE_ACCESS_BOTH | OPEN4_SHARE_ACCESS_WANT_WRITE_DELEG))
                    .isEqualTo(WhyNoDelegation4.WND4_CONTENTION);
            assertThat(holder.open(directory, "file", OPEN4_SHARE_ACCESS_READ)
                            .open()
                            .delegation())
                    .isEqualTo(new OpenDelegation4.OpenDelegateNone());
        }
    }

    private WhyNoDelegation4 why(CalledClient client, int access) throws IOException, InterruptedException {
        OpenDelegation4 delegation =
                client.open(directory, "file", access).open().delegation();
        return ((OpenDelegation4.OpenDelegateNoneExt) delegation).odWhynone().ondWhy();
    }

    @Test
    void aDelegationPermitsIoAndOpens() throws Exception {
        try (CalledClient holder = holder("tcp")) {
            Opened held = holder.open(directory, "file", OPEN4_SHARE_ACCESS_READ | OPEN4_SHARE_ACCESS_WANT_READ_DELEG);
            Nfs4CompoundCall read = holder.client.call(false);
            read.putFh(held.file());
            read.read(held.delegation(), 0, 10, null);
            assertThat(read.await().status()).isEqualTo(Nfsstat4.NFS4_OK);

            Nfs4CompoundCall write = holder.client.call(false);
            write.putFh(held.file());
            write.write(held.delegation(), 0, StableHow4.UNSTABLE4, Payload.of(ByteBuffer.allocate(1)));
            assertThat(write.await().status()).isEqualTo(Nfsstat4.NFS4ERR_OPENMODE);

            Component4 name = Component4.of("file");
            assertThat(claim(holder, held, new OpenClaim4.ClaimDelegCurFh(held.delegation())))
                    .isEqualTo(Nfsstat4.NFS4_OK);
            assertThat(claim(
                            holder,
                            held,
                            new OpenClaim4.ClaimDelegateCur(new OpenClaimDelegateCur4(held.delegation(), name))))
                    .isEqualTo(Nfsstat4.NFS4_OK);
            assertThat(claim(
                            holder,
                            held,
                            new OpenClaim4.ClaimDelegCurFh(held.open().stateid())))
                    .isEqualTo(Nfsstat4.NFS4ERR_BAD_STATEID);
            assertThat(claim(holder, held, new OpenClaim4.ClaimDelegatePrev(name)))
                    .isEqualTo(Nfsstat4.NFS4ERR_NOTSUPP);
        }
    }

    private Nfsstat4 claim(CalledClient holder, Opened held, OpenClaim4 claim)
            throws IOException, InterruptedException {
        Nfs4CompoundCall call = holder.client.call(false);
        if (claim instanceof OpenClaim4.ClaimDelegCurFh) {
            call.putFh(held.file());
        } else {
            Client4.walk(call, directory);
        }
        call.open(
                0,
                OPEN4_SHARE_ACCESS_READ,
                0,
                holder.client.owner("second"),
                new Openflag4.Default(Opentype4.OPEN4_NOCREATE),
                claim);
        return call.await().status();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void aRecallThatIsLostWithItsConnectionIsRepeatedOverTheNext(String transport) throws Exception {
        try (CalledClient holder = holder(transport);
                RpcClient next = Rpc.connect(server.address(transport));
                Client4 other = new Client4(server.address(transport), "other")) {
            holder.open(directory, "file", OPEN4_SHARE_ACCESS_READ | OPEN4_SHARE_ACCESS_WANT_READ_DELEG);
            // Closed in the middle of the callback.
            holder.recalled = recall -> {
                holder.client.connection.close();
                return Nfsstat4.NFS4_OK;
            };
            assertThat(open(other, OPEN4_SHARE_ACCESS_WRITE)).isEqualTo(Nfsstat4.NFS4ERR_DELAY);
            holder.recall();
            holder.recalled = recall -> Nfsstat4.NFS4_OK;
            int down = Constants.SEQ4_STATUS_CB_PATH_DOWN | Constants.SEQ4_STATUS_CB_PATH_DOWN_SESSION;
            Awaitility.await().until(() -> flags(holder, next) == down);

            holder.serve(next);
            CbRecall4Args repeated = holder.recall();
            assertThat(flags(holder, next)).isZero();
            assertThat(holder.callbacks())
                    .extracting(CbSequence4Args::csaSlotid, CbSequence4Args::csaSequenceid)
                    .containsExactly(tuple(0L, 1L), tuple(0L, 1L));
            Nfs4CompoundCall back = holder.client.call(Client4.on(next), holder.client.nextSequence(), false);
            back.putFh(repeated.fh());
            back.delegReturn(repeated.stateid());
            assertThat(back.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
            assertThat(open(other, OPEN4_SHARE_ACCESS_WRITE)).isEqualTo(Nfsstat4.NFS4_OK);
        }
    }

    private static long flags(CalledClient holder, RpcClient by) throws IOException, InterruptedException {
        Nfs4CompoundCall call = Client4.on(by).compound(XdrOpaque.EMPTY, 1);
        var sequence = call.sequence(holder.client.session, holder.client.nextSequence(), 0, 0, false);
        call.await();
        return sequence.get().srStatusFlags();
    }

    @Test
    void aBackChannelWhoseSlotsAreOutOfOrderIsNotUsedAnyMore() throws Exception {
        try (CalledClient holder = holder("tcp");
                Client4 other = new Client4(server.address("tcp"), "other")) {
            holder.open(directory, "file", OPEN4_SHARE_ACCESS_READ | OPEN4_SHARE_ACCESS_WANT_READ_DELEG);
            holder.sequenced = Nfsstat4.NFS4ERR_SEQ_MISORDERED;
            assertThat(open(other, OPEN4_SHARE_ACCESS_WRITE)).isEqualTo(Nfsstat4.NFS4ERR_DELAY);
            Awaitility.await()
                    .until(() -> flags(holder, (RpcClient) holder.client.connection)
                            == Constants.SEQ4_STATUS_BACKCHANNEL_FAULT);
            assertThat(open(other, OPEN4_SHARE_ACCESS_WRITE)).isEqualTo(Nfsstat4.NFS4ERR_DELAY);
            assertThat(holder.callbacks()).hasSize(1);
        }
    }

    /** A client that does not serve the program that it names is noticed before anything depends on it. */
    @Test
    void aClientThatDoesNotServeItsProgramGetsNoDelegation() throws Exception {
        try (CalledClient holder = holder("tcp")) {
            Nfs4CompoundCall configure = holder.client.call(false);
            configure.backchannelCtl(CalledClient.PROGRAM + 1, List.of(new CallbackSecParms4.AuthNone()));
            configure.await();
            Nfs4CompoundCall bind = holder.client.nfs.compound(XdrOpaque.EMPTY, 1);
            bind.bindConnToSession(holder.client.session, ChannelDirFromClient4.CDFC4_FORE_OR_BOTH, false);
            bind.await();
            Awaitility.await()
                    .until(() -> flags(holder, (RpcClient) holder.client.connection)
                            == (Constants.SEQ4_STATUS_CB_PATH_DOWN | Constants.SEQ4_STATUS_CB_PATH_DOWN_SESSION));
            assertThat(why(holder, OPEN4_SHARE_ACCESS_READ | OPEN4_SHARE_ACCESS_WANT_READ_DELEG))
                    .isEqualTo(WhyNoDelegation4.WND4_RESOURCE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void othersSeeTheSizeThatTheHolderTells(String transport) throws Exception {
        try (CalledClient holder = holder(transport);
                Client4 other = new Client4(server.address(transport), "other")) {
            Opened held = holder.open(directory, "file", OPEN4_SHARE_ACCESS_BOTH | OPEN4_SHARE_ACCESS_WANT_WRITE_DELEG);
            Told before = told(holder.client, held);
            holder.asked = asked -> new HeldAttributes(before.change(), before.size());
            assertThat(told(other, held)).as("not changed").isEqualTo(before);

            holder.asked = asked -> new HeldAttributes(before.change() + 1, 12345);
            Told changed = told(other, held);
            assertThat(changed.size()).isEqualTo(12345);
            assertThat(changed.change()).isGreaterThan(before.change());
            Nfs3Client nfs = Nfs3Client.on(other.connection).with(Served.inTheNameOf(0, 0));
            Getattr3Res.Nfs3Ok older = (Getattr3Res.Nfs3Ok)
                    nfs.getattr(new Getattr3Args(new NfsFh3(held.file().value())));
            assertThat(older.resok().objAttributes().size()).isEqualTo(12345);
            assertThat(told(holder.client, held)).isEqualTo(before);
            assertThat(holder.recalls).isEmpty();
        }
    }

    private record Told(long change, long size) {}

    private static Told told(Client4 client, Opened file) throws IOException, InterruptedException {
        Nfs4CompoundCall call = client.call(false);
        call.putFh(file.file());
        var result = call.getattr(Bitmap4.of(Constants.FATTR4_CHANGE, Constants.FATTR4_SIZE));
        assertThat(call.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
        XdrDecoder in = new XdrDecoder(result.get().objAttributes().attrVals().asReadOnlyBuffer());
        return new Told(in.readHyper(), in.readHyper());
    }

    /** What RFC 9754 adds to share_access is taken, and not granted. */
    @Test
    void anOpenMayWishForWhatIsNotGranted() throws Exception {
        try (CalledClient holder = holder("tcp")) {
            int timesAndNoOpen = 0x300000;
            Opened held = holder.open(
                    directory, "file", OPEN4_SHARE_ACCESS_BOTH | OPEN4_SHARE_ACCESS_WANT_WRITE_DELEG | timesAndNoOpen);
            assertThat(held.open().delegation()).isInstanceOf(OpenDelegation4.OpenDelegateWrite.class);
            Nfs4CompoundCall call = holder.client.call(false);
            call.putRootFh();
            var result = call.getattr(Bitmap4.of(OPEN_ARGUMENTS));
            call.await();
            XdrDecoder in =
                    new XdrDecoder(result.get().objAttributes().attrVals().asReadOnlyBuffer());
            assertThat(Bitmap4.decode(in)).as("share_access").isEqualTo(Bitmap4.of(1, 2, 3));
            assertThat(Bitmap4.decode(in)).as("share_deny").isEqualTo(Bitmap4.of(0, 1, 2, 3));
            assertThat(Bitmap4.decode(in)).as("delegations").isEqualTo(Bitmap4.of(3, 4, 5));
        }
    }
}
