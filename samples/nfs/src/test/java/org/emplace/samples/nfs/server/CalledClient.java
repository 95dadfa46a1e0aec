// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.emplace.rpc.RpcClient;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.v4.CallbackSecParms4;
import org.emplace.samples.nfs.protocol.v4.CbCompound4Args;
import org.emplace.samples.nfs.protocol.v4.CbCompound4Res;
import org.emplace.samples.nfs.protocol.v4.CbGetattr4Args;
import org.emplace.samples.nfs.protocol.v4.CbGetattr4Res;
import org.emplace.samples.nfs.protocol.v4.CbGetattr4Resok;
import org.emplace.samples.nfs.protocol.v4.CbRecall4Args;
import org.emplace.samples.nfs.protocol.v4.CbRecall4Res;
import org.emplace.samples.nfs.protocol.v4.CbSequence4Args;
import org.emplace.samples.nfs.protocol.v4.CbSequence4Res;
import org.emplace.samples.nfs.protocol.v4.CbSequence4Resok;
import org.emplace.samples.nfs.protocol.v4.ChannelDirFromClient4;
import org.emplace.samples.nfs.protocol.v4.Constants;
import org.emplace.samples.nfs.protocol.v4.CreateSession4Args;
import org.emplace.samples.nfs.protocol.v4.Fattr4;
import org.emplace.samples.nfs.protocol.v4.Nfs4CallbackServer;
import org.emplace.samples.nfs.protocol.v4.Nfs4CompoundCall;
import org.emplace.samples.nfs.protocol.v4.NfsCbArgop4;
import org.emplace.samples.nfs.protocol.v4.NfsCbResop4;
import org.emplace.samples.nfs.protocol.v4.NfsFh4;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.samples.nfs.protocol.v4.Open4Resok;
import org.emplace.samples.nfs.protocol.v4.OpenDelegation4;
import org.emplace.samples.nfs.protocol.v4.Stateid4;
import org.emplace.samples.nfs.server.state.Callback.HeldAttributes;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrOpaque;
import org.jspecify.annotations.Nullable;

/** A client of version 4.1 that the server calls back over its connection. */
final class CalledClient implements Nfs4CallbackServer, AutoCloseable {
    static final long PROGRAM = 0x40000000;

    final Client4 client;
    final BlockingQueue<CbRecall4Args> recalls = new LinkedBlockingQueue<>();

    /** Answers CB_RECALL. */
    volatile Function<CbRecall4Args, Nfsstat4> recalled = recall -> Nfsstat4.NFS4_OK;

    /** Answers CB_GETATTR. By default, the client does not know it. */
    volatile @Nullable Function<CbGetattr4Args, HeldAttributes> asked;

    /** The status of CB_SEQUENCE. */
    volatile Nfsstat4 sequenced = Nfsstat4.NFS4_OK;

    /** Who called last. */
    volatile @Nullable Principal caller;

    /** Of the last callback. */
    volatile long minorVersion;

    private final List<CbSequence4Args> callbacks = new ArrayList<>();

    /** A client whose session gets its back channel later, by BACKCHANNEL_CTL and BIND_CONN_TO_SESSION. */
    CalledClient(URI server, String name) throws IOException, InterruptedException {
        this(new Client4(server, name));
    }

    /** @param client without a back channel; closed with this one */
    CalledClient(Client4 client) throws IOException, InterruptedException {
        this.client = client;
        Nfs4CompoundCall configure = client.call(false);
        configure.backchannelCtl(PROGRAM, List.of(new CallbackSecParms4.AuthNone()));
        assertThat(configure.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
        serve((RpcClient) client.connection);
    }

    /** A client with a second session, which is created with a back channel. */
    CalledClient(URI server, String name, List<CallbackSecParms4> flavors) throws IOException, InterruptedException {
        client = new Client4(server, name);
        ((RpcClient) client.connection).serve(Nfs4CallbackServer.service(this));
        Nfs4CompoundCall create = client.nfs.compound(XdrOpaque.EMPTY, 1);
        var created = create.createSession(new CreateSession4Args(
                client.id,
                client.created.csrSequence() + 1,
                Constants.CREATE_SESSION4_FLAG_CONN_BACK_CHAN,
                Client4.BACK,
                Client4.BACK,
                PROGRAM,
                flavors));
        create.await();
        assertThat(created.get().csrFlags()).isEqualTo(Constants.CREATE_SESSION4_FLAG_CONN_BACK_CHAN);
    }

    /** Serves callbacks over a connection too. */
    void serve(RpcClient connection) throws IOException, InterruptedException {
        connection.serve(Nfs4CallbackServer.service(this));
        Nfs4CompoundCall bind = Client4.on(connection).compound(XdrOpaque.EMPTY, 1);
        bind.bindConnToSession(client.session, ChannelDirFromClient4.CDFC4_FORE_OR_BOTH, false);
        assertThat(bind.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
    }

    @Override
    public synchronized CbCompound4Res compound(CbCompound4Args args, ServerCall call) {
        CbSequence4Args sequence = ((NfsCbArgop4.Sequence) args.argarray().get(0)).opcbsequence();
        callbacks.add(sequence);
        caller = call.caller();
        minorVersion = args.minorversion();
        if (sequenced != Nfsstat4.NFS4_OK) {
            return answer(sequenced, new NfsCbResop4.Sequence(new CbSequence4Res.Default(sequenced)));
        }
        NfsCbResop4 first = new NfsCbResop4.Sequence(new CbSequence4Res.Nfs4Ok(
                new CbSequence4Resok(sequence.csaSessionid(), sequence.csaSequenceid(), sequence.csaSlotid(), 0, 0)));
        if (args.argarray().get(1) instanceof NfsCbArgop4.Getattr getattr) {
            CbGetattr4Res result = told(getattr.opcbgetattr());
            return answer(result.status(), first, new NfsCbResop4.Getattr(result));
        }
        CbRecall4Args recall = ((NfsCbArgop4.Recall) args.argarray().get(1)).opcbrecall();
        Nfsstat4 status = recalled.apply(recall);
        recalls.add(recall);
        return answer(status, first, new NfsCbResop4.Recall(new CbRecall4Res(status)));
    }

    private CbGetattr4Res told(CbGetattr4Args args) {
        if (asked == null) {
            return new CbGetattr4Res.Default(Nfsstat4.NFS4ERR_NOTSUPP);
        }
        HeldAttributes told = asked.apply(args);
        XdrEncoder out = XdrEncoder.onHeap();
        out.writeHyper(told.change());
        out.writeHyper(told.size());
        return new CbGetattr4Res.Nfs4Ok(
                new CbGetattr4Resok(new Fattr4(args.attrRequest(), XdrOpaque.copyOf(out.finish().stream()))));
    }

    private static CbCompound4Res answer(Nfsstat4 status, NfsCbResop4... results) {
        return new CbCompound4Res(status, XdrOpaque.EMPTY, List.of(results));
    }

    /** The slots and sequence IDs of all callbacks so far. */
    synchronized List<CbSequence4Args> callbacks() {
        return List.copyOf(callbacks);
    }

    /** The next recall. */
    CbRecall4Args recall() throws InterruptedException {
        return Optional.ofNullable(recalls.poll(20, TimeUnit.SECONDS))
                .orElseThrow(() -> new AssertionError("no recall"));
    }

    /** What OPEN returned. */
    record Opened(Open4Resok open, NfsFh4 file) {
        Stateid4 delegation() {
            return open.delegation() instanceof OpenDelegation4.OpenDelegateRead read
                    ? read.read().stateid()
                    : ((OpenDelegation4.OpenDelegateWrite) open.delegation())
                            .write()
                            .stateid();
        }
    }

    /** Opens a file, or creates it. */
    Opened open(Path directory, String name, int access) throws IOException, InterruptedException {
        Nfs4CompoundCall call = client.at(directory, false);
        var opened = client.create(call, "owner", name, access, 0);
        var handle = call.getFh();
        assertThat(call.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
        return new Opened(opened.get(), handle.get().object());
    }

    Nfsstat4 giveBack(NfsFh4 file, Stateid4 stateId) throws IOException, InterruptedException {
        Nfs4CompoundCall call = client.call(false);
        call.putFh(file);
        call.delegReturn(stateId);
        return call.await().status();
    }

    Nfsstat4 giveBack(CbRecall4Args recall) throws IOException, InterruptedException {
        return giveBack(recall.fh(), recall.stateid());
    }

    @Override
    public void close() {
        client.close();
    }
}
