// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.emplace.Rpc;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.OperationResult;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.auth.AuthSys;
import org.emplace.samples.nfs.protocol.v4.Bitmap4;
import org.emplace.samples.nfs.protocol.v4.ChannelAttrs4;
import org.emplace.samples.nfs.protocol.v4.ClientOwner4;
import org.emplace.samples.nfs.protocol.v4.Clientid4;
import org.emplace.samples.nfs.protocol.v4.Component4;
import org.emplace.samples.nfs.protocol.v4.Constants;
import org.emplace.samples.nfs.protocol.v4.CreateSession4Args;
import org.emplace.samples.nfs.protocol.v4.CreateSession4Resok;
import org.emplace.samples.nfs.protocol.v4.Createhow4;
import org.emplace.samples.nfs.protocol.v4.Createmode4;
import org.emplace.samples.nfs.protocol.v4.Creatverfattr;
import org.emplace.samples.nfs.protocol.v4.ExchangeId4Resok;
import org.emplace.samples.nfs.protocol.v4.Fattr4;
import org.emplace.samples.nfs.protocol.v4.Nfs4Client;
import org.emplace.samples.nfs.protocol.v4.Nfs4CompoundCall;
import org.emplace.samples.nfs.protocol.v4.Open4Resok;
import org.emplace.samples.nfs.protocol.v4.OpenClaim4;
import org.emplace.samples.nfs.protocol.v4.OpenDelegationType4;
import org.emplace.samples.nfs.protocol.v4.Openflag4;
import org.emplace.samples.nfs.protocol.v4.Opentype4;
import org.emplace.samples.nfs.protocol.v4.Sessionid4;
import org.emplace.samples.nfs.protocol.v4.StateOwner4;
import org.emplace.samples.nfs.protocol.v4.StateProtect4A;
import org.emplace.samples.nfs.protocol.v4.Stateid4;
import org.emplace.samples.nfs.protocol.v4.Verifier4;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;
import org.emplace.xdr.XdrUnsignedInts;

/** A client of version 4.1 or 4.2 with one session, whose slot 0 it uses. */
final class Client4 implements AutoCloseable {
    /** Stands for the stateid that an operation before has returned. */
    static final Stateid4 CURRENT = new Stateid4(1, XdrOpaque.of(new byte[12]));

    static final Stateid4 ANONYMOUS = new Stateid4(0, XdrOpaque.of(new byte[12]));
    static final ChannelAttrs4 FORE = new ChannelAttrs4(0, 1 << 21, 1 << 21, 2048, 16, 8, XdrUnsignedInts.of());
    static final ChannelAttrs4 BACK = new ChannelAttrs4(0, 4096, 4096, 0, 2, 1, XdrUnsignedInts.of());

    final RpcConnection connection;
    final Nfs4Client nfs;
    final Clientid4 id;
    final CreateSession4Resok created;
    final Sessionid4 session;
    private final int minorVersion;
    private long sequence;

    /** Connects, and has all that it might have had before a restart of the server reclaimed. */
    Client4(URI server, String name) throws IOException, InterruptedException {
        this(server, name, true);
    }

    Client4(URI server, String name, boolean hasReclaimed) throws IOException, InterruptedException {
        this(Rpc.connect(server), name, hasReclaimed);
    }

    /** @param connection closed with the client */
    Client4(RpcConnection connection, String name, boolean hasReclaimed) throws IOException, InterruptedException {
        this(connection, name, hasReclaimed, 1);
    }

    Client4(RpcConnection connection, String name, boolean hasReclaimed, int minorVersion)
            throws IOException, InterruptedException {
        this.connection = connection;
        this.minorVersion = minorVersion;
        nfs = on(connection);
        Nfs4CompoundCall exchange = nfs.compound(XdrOpaque.EMPTY, minorVersion);
        var exchanged = exchange.exchangeId(
                new ClientOwner4(new Verifier4(XdrOpaque.of(new byte[8])), XdrOpaque.ofUtf8(name)),
                0,
                new StateProtect4A.Sp4None(),
                List.of());
        exchange.await();
        ExchangeId4Resok identity = exchanged.get();
        id = identity.eirClientid();
        created = createSession(identity.eirSequenceid(), FORE);
        session = created.csrSessionid();
        if (hasReclaimed) {
            Nfs4CompoundCall complete = call(false);
            complete.reclaimComplete(false);
            complete.await();
        }
    }

    CreateSession4Resok createSession(long number, ChannelAttrs4 fore) throws IOException, InterruptedException {
        Nfs4CompoundCall create = nfs.compound(XdrOpaque.EMPTY, minorVersion);
        var created = create.createSession(new CreateSession4Args(id, number, 0, fore, BACK, 0x40000000, List.of()));
        create.await();
        return created.get();
    }

    /** The same client over another connection. */
    static Nfs4Client on(RpcConnection connection) {
        return on(connection, 0);
    }

    static Nfs4Client on(RpcConnection connection, long uid) {
        AuthSys user = new AuthSys(0, XdrString.of("test"), uid, 0, XdrUnsignedInts.of());
        return Nfs4Client.on(connection).with(CallOptions.DEFAULT.withAuth(user));
    }

    /** The next call of slot 0. */
    Nfs4CompoundCall call(boolean cache) {
        return call(nfs, ++sequence, cache);
    }

    /** A call of slot 0 with a sequence id. */
    Nfs4CompoundCall call(Nfs4Client by, long number, boolean cache) {
        Nfs4CompoundCall call = by.compound(XdrOpaque.ofUtf8("tag"), minorVersion);
        call.sequence(session, number, 0, 0, cache);
        return call;
    }

    /** For a call that is made otherwise. */
    long nextSequence() {
        return ++sequence;
    }

    long sequence() {
        return sequence;
    }

    /** The next call of slot 0, at a directory by its path from the root. */
    Nfs4CompoundCall at(Path path, boolean cache) {
        return walk(call(cache), path);
    }

    static Nfs4CompoundCall walk(Nfs4CompoundCall call, Path path) {
        call.putRootFh();
        path.forEach(name -> call.lookup(Component4.of(name.toString())));
        return call;
    }

    /** Adds an OPEN that creates the file if it does not exist. */
    OperationResult<Open4Resok> create(Nfs4CompoundCall call, String owner, String name, int access, int deny) {
        Openflag4 how = new Openflag4.Open4Create(new Createhow4.Unchecked4(Createmode4.UNCHECKED4, mode(0644)));
        return call.open(0, access, deny, owner(owner), how, new OpenClaim4.ClaimNull(Component4.of(name)));
    }

    /** Adds an OPEN that creates the file exclusively. */
    OperationResult<Open4Resok> createExclusively(Nfs4CompoundCall call, String owner, String name, int access) {
        Createhow4 how = new Createhow4.Exclusive41(new Creatverfattr(
                new Verifier4(XdrOpaque.ofUtf8("verifier")), new Fattr4(Bitmap4.of(), XdrOpaque.EMPTY)));
        return call.open(
                0,
                access,
                0,
                owner(owner),
                new Openflag4.Open4Create(how),
                new OpenClaim4.ClaimNull(Component4.of(name)));
    }

    /** Adds an OPEN of a file that exists. */
    OperationResult<Open4Resok> open(Nfs4CompoundCall call, String owner, String name, int access, int deny) {
        Openflag4 how = new Openflag4.Default(Opentype4.OPEN4_NOCREATE);
        return call.open(0, access, deny, owner(owner), how, new OpenClaim4.ClaimNull(Component4.of(name)));
    }

    /** Adds an OPEN that reclaims that of the current file before a restart of the server. */
    OperationResult<Open4Resok> reclaim(Nfs4CompoundCall call, String owner, int access, int deny) {
        Openflag4 how = new Openflag4.Default(Opentype4.OPEN4_NOCREATE);
        return call.open(
                0,
                access,
                deny,
                owner(owner),
                how,
                new OpenClaim4.ClaimPrevious(OpenDelegationType4.OPEN_DELEGATE_NONE));
    }

    StateOwner4 owner(String name) {
        return new StateOwner4(id, XdrOpaque.of(name.getBytes(StandardCharsets.UTF_8)));
    }

    static Fattr4 mode(int bits) {
        return attribute(Constants.FATTR4_MODE, out -> out.writeInt(bits));
    }

    /** One attribute with a value. */
    static Fattr4 attribute(int number, Consumer<XdrEncoder> value) {
        XdrEncoder out = XdrEncoder.onHeap();
        value.accept(out);
        return new Fattr4(Bitmap4.of(number), XdrOpaque.copyOf(out.finish().stream()));
    }

    @Override
    public void close() {
        connection.close();
    }
}
