// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v4;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.ServerCall;
import org.emplace.rpc.auth.AuthNone;
import org.emplace.rpc.auth.AuthSys;
import org.emplace.rpc.auth.ClientAuth;
import org.emplace.samples.nfs.protocol.v4.AuthsysParms;
import org.emplace.samples.nfs.protocol.v4.Bitmap4;
import org.emplace.samples.nfs.protocol.v4.CallbackSecParms4;
import org.emplace.samples.nfs.protocol.v4.CbCompound4Args;
import org.emplace.samples.nfs.protocol.v4.CbCompound4Res;
import org.emplace.samples.nfs.protocol.v4.CbGetattr4Args;
import org.emplace.samples.nfs.protocol.v4.CbGetattr4Res;
import org.emplace.samples.nfs.protocol.v4.CbRecall4Args;
import org.emplace.samples.nfs.protocol.v4.CbSequence4Args;
import org.emplace.samples.nfs.protocol.v4.Constants;
import org.emplace.samples.nfs.protocol.v4.Fattr4;
import org.emplace.samples.nfs.protocol.v4.Nfs4Callback;
import org.emplace.samples.nfs.protocol.v4.NfsCbArgop4;
import org.emplace.samples.nfs.protocol.v4.NfsCbResop4;
import org.emplace.samples.nfs.protocol.v4.NfsFh4;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.samples.nfs.protocol.v4.Sessionid4;
import org.emplace.samples.nfs.server.state.Callback;
import org.emplace.samples.nfs.server.state.Callback.HeldAttributes;
import org.emplace.samples.nfs.server.state.Callback.Outcome;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrOpaque;
import org.jspecify.annotations.Nullable;

/** Makes callbacks over the connections of clients. Never waits. */
final class Callbacks implements Callback.Sender {
    /** The timeout of a callback is the lease divided by this. */
    private static final int PART_OF_LEASE = 10;

    private static final Bitmap4 ASKED = Bitmap4.of(Constants.FATTR4_CHANGE, Constants.FATTR4_SIZE);

    private final CallOptions options;

    Callbacks(Duration lease) {
        Duration most = lease.dividedBy(PART_OF_LEASE);
        options = CallOptions.DEFAULT.withTimeout(most.toSeconds() > 0 ? most : Duration.ofSeconds(1));
    }

    /**
     * How to call a client: the program has the number that the client chose.
     *
     * @param minorVersion that of the session
     */
    record Target(
            Procedure<Void, Void> nullProcedure,
            Procedure<CbCompound4Args, CbCompound4Res> compound,
            long minorVersion,
            ClientAuth auth) {}

    /**
     * How to call a client, with the first of its flavors that this server has.
     *
     * @param minorVersion that of the client's COMPOUND
     * @param program unsigned
     * @return empty if there is none
     */
    static Optional<Object> target(long minorVersion, long program, List<CallbackSecParms4> flavors) {
        RpcProgram number = RpcProgram.of(Nfs4Callback.PROGRAM.name(), program, Nfs4Callback.PROGRAM.version());
        Procedure<CbCompound4Args, CbCompound4Res> compound = Nfs4Callback.COMPOUND;
        return flavors.stream()
                .flatMap(each -> auth(each).stream())
                .findFirst()
                .map(auth -> new Target(
                        Procedure.ofNull(number),
                        Procedure.of(
                                number,
                                compound.number(),
                                compound.name(),
                                compound.arguments(),
                                compound.results(),
                                compound.binding()),
                        minorVersion,
                        auth));
    }

    private static Optional<ClientAuth> auth(CallbackSecParms4 flavor) {
        if (flavor instanceof CallbackSecParms4.AuthNone) {
            return Optional.of(AuthNone.INSTANCE);
        } else if (flavor instanceof CallbackSecParms4.AuthSys sys) {
            AuthsysParms user = sys.cbspSysCred();
            return Optional.of(new AuthSys(user.stamp(), user.machinename(), user.uid(), user.gid(), user.gids()));
        }
        return Optional.empty();
    }

    /** Calls CB_NULL over a connection that was bound to a back channel. */
    @SuppressWarnings("NullAway") // Void has no other value
    void probe(ServerCall.Connection connection, Target target, Consumer<Boolean> answered) {
        call(connection, target.nullProcedure(), null, target, (none, failure) -> answered.accept(failure == null));
    }

    @Override
    public void send(Callback callback) {
        Target target = (Target) callback.parameters();
        CbCompound4Args args = new CbCompound4Args(
                XdrOpaque.EMPTY,
                target.minorVersion(),
                0,
                List.of(
                        new NfsCbArgop4.Sequence(new CbSequence4Args(
                                new Sessionid4(XdrOpaque.of(callback.session().bytes())),
                                Integer.toUnsignedLong(callback.sequence()),
                                callback.slot(),
                                callback.highestSlot(),
                                false,
                                List.of())),
                        operation(callback)));
        call(
                (ServerCall.Connection) callback.connection(),
                target.compound(),
                args,
                target,
                (result, failure) -> answered(callback, failure == null ? Optional.of(result) : Optional.empty()));
    }

    private static NfsCbArgop4 operation(Callback callback) {
        NfsFh4 handle = new NfsFh4(XdrOpaque.of(callback.handle().bytes()));
        return switch (callback.kind()) {
            case RECALL ->
                new NfsCbArgop4.Recall(new CbRecall4Args(Compound.encoded(callback.stateId()), false, handle));
            case GETATTR -> new NfsCbArgop4.Getattr(new CbGetattr4Args(handle, ASKED));
        };
    }

    /** Frees the slot whatever happens. */
    private static void answered(Callback callback, Optional<CbCompound4Res> result) {
        Outcome outcome = Outcome.UNANSWERED;
        Optional<HeldAttributes> attributes = Optional.empty();
        try {
            attributes = result.flatMap(Callbacks::attributes);
            outcome = result.map(Callbacks::outcome).orElse(Outcome.UNANSWERED);
        } finally {
            callback.answered(outcome, attributes);
        }
    }

    /** What CB_GETATTR returned. Clients may return more than they were asked for, after it. */
    private static Optional<HeldAttributes> attributes(CbCompound4Res result) {
        if (result.status() != Nfsstat4.NFS4_OK
                || result.resarray().size() < 2
                || !(result.resarray().get(1) instanceof NfsCbResop4.Getattr getattr)
                || !(getattr.opcbgetattr() instanceof CbGetattr4Res.Nfs4Ok told)) {
            return Optional.empty();
        }
        Fattr4 values = told.resok4().objAttributes();
        if (!values.attrmask().contains(Constants.FATTR4_CHANGE)
                || !values.attrmask().contains(Constants.FATTR4_SIZE)
                || values.attrmask().bits().stream().min().orElseThrow() != Constants.FATTR4_CHANGE) {
            return Optional.empty();
        }
        XdrDecoder in = new XdrDecoder(values.attrVals().asReadOnlyBuffer());
        try {
            return Optional.of(new HeldAttributes(in.readHyper(), in.readHyper()));
        } catch (XdrException malformed) {
            return Optional.empty();
        }
    }

    private <A, R> void call(
            RpcConnection connection,
            Procedure<A, R> procedure,
            A args,
            Target target,
            BiConsumer<R, @Nullable Throwable> ended) {
        var unused = connection
                .call(procedure, args, Destinations.none(), options.withAuth(target.auth()))
                .completion()
                .whenComplete(ended);
    }

    private static Outcome outcome(CbCompound4Res result) {
        List<NfsCbResop4> results = result.resarray();
        if (results.isEmpty() || !(results.get(0) instanceof NfsCbResop4.Sequence sequence)) {
            return Outcome.MISORDERED;
        } else if (sequence.opcbsequence().csrStatus() == Nfsstat4.NFS4ERR_DELAY) {
            return Outcome.POSTPONED;
        } else if (sequence.opcbsequence().csrStatus() != Nfsstat4.NFS4_OK) {
            return Outcome.MISORDERED;
        }
        // A client that ran the callback before, and has not kept its reply, says so of the operation after
        // CB_SEQUENCE.
        return result.status() == Nfsstat4.NFS4_OK || result.status() == Nfsstat4.NFS4ERR_RETRY_UNCACHED_REP
                ? Outcome.ACCEPTED
                : Outcome.REFUSED;
    }
}
