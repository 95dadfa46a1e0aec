// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.specs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.emplace.Rpc;
import org.emplace.rpc.CallObserver.CallReport;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destination;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.OperationException;
import org.emplace.rpc.OperationResult;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcService;
import org.emplace.tests.specs.CompoundFiles.Content;
import org.emplace.tests.specs.nfs41.Component4;
import org.emplace.tests.specs.nfs41.Compound4Args;
import org.emplace.tests.specs.nfs41.Compound4Res;
import org.emplace.tests.specs.nfs41.Getfh4Resok;
import org.emplace.tests.specs.nfs41.Illegal4Res;
import org.emplace.tests.specs.nfs41.Lookup4Args;
import org.emplace.tests.specs.nfs41.Nfs4;
import org.emplace.tests.specs.nfs41.Nfs4Client;
import org.emplace.tests.specs.nfs41.Nfs4CompoundCall;
import org.emplace.tests.specs.nfs41.Nfs4CompoundOperations;
import org.emplace.tests.specs.nfs41.Nfs4Server;
import org.emplace.tests.specs.nfs41.NfsArgop4;
import org.emplace.tests.specs.nfs41.NfsFh4;
import org.emplace.tests.specs.nfs41.NfsOpnum4;
import org.emplace.tests.specs.nfs41.NfsResop4;
import org.emplace.tests.specs.nfs41.Nfsstat4;
import org.emplace.tests.specs.nfs41.Putrootfh4Res;
import org.emplace.tests.specs.nfs41.Read4Args;
import org.emplace.tests.specs.nfs41.Read4Resok;
import org.emplace.tests.specs.nfs41.Readlink4Resok;
import org.emplace.tests.specs.nfs41.StableHow4;
import org.emplace.tests.specs.nfs41.Stateid4;
import org.emplace.tests.specs.nfs41.Write4Args;
import org.emplace.tests.specs.nfs41.Write4Resok;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrCodec;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.Test;

/** NFSv4.1's COMPOUND, built and answered operation by operation, over software iWARP. */
class CompoundCallTest extends OverRdma {
    private static final Stateid4 STATE = new Stateid4(0, XdrOpaque.of(new byte[12]));
    private static final XdrOpaque TAG = Wire.ascii("tag");
    private static final int LARGE = 20_000;

    @Override
    RpcService service() {
        return Nfs4Server.service(Nfs4CompoundOperations.server(new CompoundFiles()));
    }

    private Nfs4CompoundCall compound() {
        return Nfs4Client.on(connection).compound(TAG, 1);
    }

    @Test
    void eachOperationHasItsResultAndItsDestination() throws Exception {
        ByteBuffer a = ByteBuffer.allocateDirect(100);
        ByteBuffer b = ByteBuffer.allocateDirect(4096);
        ByteBuffer c = ByteBuffer.allocateDirect(100);
        Nfs4CompoundCall call = compound();
        OperationResult<Void> root = call.putRootFh();
        OperationResult<Read4Resok> first = call.read(STATE, 0, 100, Destination.into(a));
        OperationResult<Readlink4Resok> link = call.readlink(Destination.into(b));
        OperationResult<Void> lookup = call.lookup(Component4.of(Content.FILE));
        OperationResult<Getfh4Resok> handle = call.getFh();
        OperationResult<Read4Resok> second = call.read(STATE, 0, 100, Destination.into(c));

        Compound4Res results = call.await();

        assertThat(results.status()).isEqualTo(Nfsstat4.NFS4_OK);
        assertThat(results.tag()).isEqualTo(TAG);
        assertThat(root.get()).isNull();
        assertThat(lookup.get()).isNull();
        assertThat(handle.get().object()).isEqualTo(new NfsFh4(XdrOpaque.ofUtf8("/" + Content.FILE)));
        assertThat(first.get().eof()).isTrue();
        assertThat(start(a, "data of /")).isEqualTo("data of /");
        assertThat(link.get().link().length()).isEqualTo(Content.LINK.length());
        assertThat(start(b, Content.LINK)).isEqualTo(Content.LINK);
        assertThat(second.get().data().length()).isEqualTo("data of /file".length());
        assertThat(start(c, "data of /file")).isEqualTo("data of /file");
        CallReport report = reports.poll(10, TimeUnit.SECONDS);
        assertThat(report).isNotNull();
        assertThat(report.writeChunkBytes())
                .isEqualTo("data of /".length() + Content.LINK.length() + "data of /file".length());
        assertThat(report.copies()).isZero();
    }

    @Test
    void anOperationThatFailsEndsTheCall() throws Exception {
        ByteBuffer a = ByteBuffer.allocateDirect(100);
        ByteBuffer b = ByteBuffer.allocateDirect(100);
        Nfs4CompoundCall call = compound();
        OperationResult<Void> root = call.putRootFh();
        OperationResult<Read4Resok> before = call.read(STATE, 0, 100, Destination.into(a));
        OperationResult<Void> lookup = call.lookup(Component4.of("missing"));
        OperationResult<Getfh4Resok> handle = call.getFh();
        OperationResult<Read4Resok> after = call.read(STATE, 0, 100, Destination.into(b));

        Compound4Res results = call.await();

        assertThat(results.status()).isEqualTo(Nfsstat4.NFS4ERR_NOENT);
        assertThat(results.resarray()).hasSize(3);
        assertThat(root.failure()).isEmpty();
        assertThat(before.get().eof()).isTrue();
        assertThat(start(a, "data of /")).isEqualTo("data of /");
        assertThatExceptionOfType(OperationException.Failed.class)
                .isThrownBy(lookup::get)
                .withMessage("OP_LOOKUP (operation 3 of NFSPROC4_COMPOUND) failed with NFS4ERR_NOENT")
                .satisfies(failure -> assertThat(failure.status()).isEqualTo(Nfsstat4.NFS4ERR_NOENT));
        assertThatExceptionOfType(OperationException.NotReached.class)
                .isThrownBy(handle::get)
                .withMessage("OP_GETFH (operation 4 of NFSPROC4_COMPOUND) was not reached: "
                        + "OP_LOOKUP (operation 3 of NFSPROC4_COMPOUND) failed with NFS4ERR_NOENT");
        assertThatExceptionOfType(OperationException.NotReached.class).isThrownBy(after::get);
    }

    @Test
    void anOperationThatTheServerDoesNotHaveIsIllegal() throws Exception {
        Nfs4CompoundCall call = compound();
        OperationResult<Void> savefh = call.saveFh();
        call.await();

        assertThatExceptionOfType(OperationException.Failed.class)
                .isThrownBy(savefh::get)
                .satisfies(failure -> assertThat(failure.result())
                        .isEqualTo(new NfsResop4.Illegal(new Illegal4Res(Nfsstat4.NFS4ERR_OP_ILLEGAL))));
    }

    @Test
    void anOperationWithoutADefinitionIsIllegalIfItsArgumentsAreInlineAndGarbageIfTheyAreInAReadChunk()
            throws Exception {
        assertThat(undefined(100).await().resarray())
                .containsExactly(
                        new NfsResop4.PutRootFh(new Putrootfh4Res(Nfsstat4.NFS4_OK)),
                        new NfsResop4.Illegal(new Illegal4Res(Nfsstat4.NFS4ERR_OP_ILLEGAL)));
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(undefined(LARGE)::await)
                .satisfies(failure -> assertThat(failure.kind()).isEqualTo(RpcException.Kind.GARBAGE_ARGS));
    }

    /** A call with an operation, and its argument, that the server's definitions lack. */
    private RpcCall<Compound4Res> undefined(int argument) {
        Procedure<Compound4Args, Compound4Res> compound = Nfs4.COMPOUND;
        XdrCodec<Compound4Args> arguments = new XdrCodec<>(
                (out, args) -> {
                    args.encode(out);
                    out.writePayload(Payload.of(ByteBuffer.allocateDirect(argument)));
                },
                compound.arguments().reader());
        return connection.call(
                Procedure.of(
                        compound.program(),
                        compound.number(),
                        compound.name(),
                        arguments,
                        compound.results(),
                        compound.binding()),
                new Compound4Args(
                        TAG, 1, List.of(new NfsArgop4.PutRootFh(), new NfsArgop4.Default(NfsOpnum4.of(0x270f)))),
                Destinations.none(),
                CallOptions.DEFAULT);
    }

    @Test
    void aCallThatIsRefusedAsAWholeReachesNoOperation() throws Exception {
        Nfs4CompoundCall call = Nfs4Client.on(connection).compound(TAG, 7);
        OperationResult<Void> root = call.putRootFh();

        assertThat(call.await().status()).isEqualTo(Nfsstat4.NFS4ERR_MINOR_VERS_MISMATCH);
        assertThatExceptionOfType(OperationException.NotReached.class)
                .isThrownBy(root::get)
                .withNoCause();
    }

    @Test
    void aCallNeedNotBeWaitedFor() throws Exception {
        Nfs4CompoundCall call = compound();
        call.putRootFh();
        OperationResult<Getfh4Resok> handle = call.getFh();
        RpcCall<Compound4Res> started = call.start();

        XdrOpaque object = started.completion()
                .thenApply(results -> handle.failure().isPresent() ? XdrOpaque.EMPTY : results.tag())
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);

        assertThat(object).isEqualTo(TAG);
        assertThat(handle.get().object()).isEqualTo(new NfsFh4(XdrOpaque.ofUtf8("/")));
    }

    @Test
    void theBytesAreThoseOfThePlainClient() throws Exception {
        Payload data = Payload.of(ByteBuffer.allocateDirect(LARGE));
        List<NfsArgop4> operations = List.of(
                new NfsArgop4.PutRootFh(),
                new NfsArgop4.Lookup(new Lookup4Args(Component4.of(Content.FILE))),
                new NfsArgop4.Read(new Read4Args(STATE, 3, 100)),
                new NfsArgop4.Readlink(),
                new NfsArgop4.Write(new Write4Args(STATE, 0, StableHow4.FILE_SYNC4, data)),
                new NfsArgop4.Read(new Read4Args(STATE, 0, 30_000)));

        RecordingProxy.SentCall plain = sent(
                client -> client.compound(new Compound4Args(TAG, 1, operations), Nfs4.CompoundDestinations.anywhere()));
        RecordingProxy.SentCall built = sent(client -> {
            Nfs4CompoundCall call = client.compound(TAG, 1);
            call.putRootFh();
            call.lookup(Component4.of(Content.FILE));
            call.read(STATE, 3, 100, Destination.allocate());
            call.readlink(Destination.allocate());
            OperationResult<Write4Resok> write = call.write(STATE, 0, StableHow4.FILE_SYNC4, data);
            call.read(STATE, 0, 30_000, Destination.allocate());
            Compound4Res results = call.await();
            assertThat(write.get().count()).isEqualTo(LARGE);
            return results;
        });

        assertThat(built).isEqualTo(plain);
        assertThat(built.writeChunks()).containsExactly(100L, 4096L, 30_000L);
        assertThat(built.readChunks()).containsExactly((long) LARGE);
    }

    private interface Calls {
        Compound4Res by(Nfs4Client client) throws Exception;
    }

    /** The call that a client sends. It must succeed. */
    private RecordingProxy.SentCall sent(Calls call) throws Exception {
        try (RecordingProxy proxy = new RecordingProxy(server.addresses().get(0));
                RpcConnection through = Rpc.connect(proxy.address(), ConnectionOptions.DEFAULT)) {
            Compound4Res results = call.by(Nfs4Client.on(through));
            assertThat(results.status()).isEqualTo(Nfsstat4.NFS4_OK);
            assertThat(proxy.calls()).hasSize(1);
            return proxy.calls().get(0);
        }
    }
}
