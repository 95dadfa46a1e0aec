// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v4;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.v4.Compound4Args;
import org.emplace.samples.nfs.protocol.v4.Compound4Res;
import org.emplace.samples.nfs.protocol.v4.Nfs4Server;
import org.emplace.samples.nfs.protocol.v4.NfsArgop4;
import org.emplace.samples.nfs.protocol.v4.NfsOpnum4;
import org.emplace.samples.nfs.protocol.v4.NfsResop4;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.samples.nfs.protocol.v4.Sequence4Args;
import org.emplace.samples.nfs.protocol.v4.Sequence4Res;
import org.emplace.samples.nfs.protocol.v4.Sequence4Resok;
import org.emplace.samples.nfs.server.export.Export.CallOrigin;
import org.emplace.samples.nfs.server.export.Exports;
import org.emplace.samples.nfs.server.program.CallData;
import org.emplace.samples.nfs.server.program.CallFailures;
import org.emplace.samples.nfs.server.program.DelegationGuard;
import org.emplace.samples.nfs.server.state.Callback;
import org.emplace.samples.nfs.server.state.SessionId;
import org.emplace.samples.nfs.server.state.Sessions.Resend;
import org.emplace.samples.nfs.server.state.Sessions.SequenceFlag;
import org.emplace.samples.nfs.server.state.Sessions.SequenceRequest;
import org.emplace.samples.nfs.server.state.Sessions.SequenceResult;
import org.emplace.samples.nfs.server.state.Sessions.Sequenced;
import org.emplace.samples.nfs.server.state.SlotCall;
import org.emplace.samples.nfs.server.state.StateException;
import org.emplace.samples.nfs.server.state.StateTable;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.xdr.XdrOpaque;

/** NFS version 4, minor versions 1 (RFC 8881) and 2 (RFC 7862), of all exports. Safe for use by several threads. */
public final class Nfs4Program implements Nfs4Server {
    /** The longest tag. A kept reply has it too. */
    private static final int LONGEST_TAG = 1024;

    private final Exports exports;
    private final Set<Long> minorVersions;
    private final CallFailures failures;
    private final StateTable state;
    private final Attributes attributes;
    private final XdrOpaque identity;
    private final BoundConnections connections;
    private final Callbacks callbacks;
    private final boolean grantsDelegations;
    private final DelegationGuard guard;

    /**
     * @param exports not closed by the program
     * @param minorVersions those that are answered
     * @param table creates the table of the clients' state, which makes callbacks by the given sender
     * @param lease the lease time that clients are told; the table's own
     * @param grantsDelegations whether clients get delegations
     * @param failures receives each operation that failed
     */
    public Nfs4Program(
            Exports exports,
            Set<Long> minorVersions,
            Function<Callback.Sender, StateTable> table,
            Duration lease,
            boolean grantsDelegations,
            CallFailures failures) {
        this.exports = exports;
        this.minorVersions = Set.copyOf(minorVersions);
        this.failures = failures;
        this.callbacks = new Callbacks(lease);
        this.state = table.apply(callbacks);
        this.grantsDelegations = grantsDelegations;
        this.guard = new DelegationGuard(Optional.of(state.delegations()).filter(all -> grantsDelegations));
        this.attributes = new Attributes(lease.toSeconds());
        this.identity = XdrOpaque.copyOf(
                ByteBuffer.allocate(Long.BYTES).putLong(exports.serverId()).flip());
        this.connections = new BoundConnections(state.sessions()::connectionClosed);
    }

    Exports exports() {
        return exports;
    }

    CallFailures failures() {
        return failures;
    }

    StateTable state() {
        return state;
    }

    Attributes attributes() {
        return attributes;
    }

    Callbacks callbacks() {
        return callbacks;
    }

    boolean grantsDelegations() {
        return grantsDelegations;
    }

    /** Recalls delegations before accesses, also by other versions. */
    public DelegationGuard guard() {
        return guard;
    }

    /** The server's owner and scope: the same at all of its addresses, and after a restart. */
    XdrOpaque identity() {
        return identity;
    }

    BoundConnections connections() {
        return connections;
    }

    /** Answers a call by the rules of RFC 8881 sections 2.10.6 and 16.2. */
    @Override
    public Compound4Res compound(Compound4Args args, ServerCall call) throws Exception {
        CallOrigin origin;
        try {
            origin = CallData.origin(call, exports.principals());
        } catch (StoreException notKnownYet) {
            return Replies.refusal(
                    args, Nfsstat4.of(failures.of("COMPOUND", notKnownYet).status()));
        }
        return compound(ofMinorVersion(args), call, origin);
    }

    /** In minor version 1, the operations of later ones are illegal. */
    private static Compound4Args ofMinorVersion(Compound4Args args) {
        if (args.minorversion() != 1 || args.argarray().stream().noneMatch(Nfs4Program::isLater)) {
            return args;
        }
        List<NfsArgop4> known = args.argarray().stream()
                .map(each -> isLater(each) ? new NfsArgop4.Illegal() : each)
                .toList();
        return new Compound4Args(args.tag(), args.minorversion(), known);
    }

    private static boolean isLater(NfsArgop4 operation) {
        return operation.argop().value() >= NfsOpnum4.ALLOCATE.value();
    }

    private Compound4Res compound(Compound4Args args, ServerCall call, CallOrigin origin) throws Exception {
        List<NfsArgop4> operations = args.argarray();
        if (!minorVersions.contains(args.minorversion())) {
            return new Compound4Res(Nfsstat4.NFS4ERR_MINOR_VERS_MISMATCH, args.tag(), List.of());
        } else if (args.tag().length() > LONGEST_TAG) {
            return new Compound4Res(Nfsstat4.NFS4ERR_INVAL, XdrOpaque.EMPTY, List.of());
        } else if (operations.isEmpty()) {
            return new Compound4Res(Nfsstat4.NFS4_OK, args.tag(), List.of());
        } else if (operations.get(0) instanceof NfsArgop4.Sequence sequence) {
            return inSession(args, sequence.opsequence(), call, origin);
        } else if (!Replies.isIllegal(operations.get(0)) && !needsNoSession(operations.get(0))) {
            return Replies.refusal(args, Nfsstat4.NFS4ERR_OP_NOT_IN_SESSION);
        } else if (operations.size() > 1) {
            return Replies.refusal(args, Nfsstat4.NFS4ERR_NOT_ONLY_OP);
        }
        ReplyRoom room = ReplyRoom.of(Integer.MAX_VALUE, args.tag().length());
        return new RunningCompound(this, new Compound(args, call, origin, null, room), null).run(args, call);
    }

    private static boolean needsNoSession(NfsArgop4 operation) {
        return operation instanceof NfsArgop4.ExchangeId
                || operation instanceof NfsArgop4.CreateSession
                || operation instanceof NfsArgop4.DestroySession
                || operation instanceof NfsArgop4.BindConnToSession
                || operation instanceof NfsArgop4.DestroyClientid;
    }

    private Compound4Res inSession(Compound4Args args, Sequence4Args wanted, ServerCall call, CallOrigin origin)
            throws Exception {
        Sequenced sequenced;
        try {
            sequenced = state.sessions().sequence(request(args, wanted, origin), connections.key(call.connection()));
        } catch (StateException e) {
            failures.refused("SEQUENCE", e);
            return Replies.refusal(args, Nfsstat4.of(e.status().number()));
        }
        Sequence4Res result = result(wanted, sequenced.result());
        if (sequenced instanceof Resend resend) {
            return resend.reply()
                    .map(reply -> Replies.again((byte[]) reply))
                    .orElseGet(() -> uncached(args, new NfsResop4.Sequence(result)));
        }
        return perform(args, wanted.saCachethis(), call, origin, (SlotCall) sequenced, result);
    }

    /** A reply that was not kept: the operation after SEQUENCE says so. The reply to SEQUENCE alone is always kept. */
    private static Compound4Res uncached(Compound4Args args, NfsResop4 sequence) {
        return Replies.refusal(args, Nfsstat4.NFS4ERR_RETRY_UNCACHED_REP, sequence);
    }

    private Compound4Res perform(
            Compound4Args args,
            boolean isWanted,
            ServerCall call,
            CallOrigin origin,
            SlotCall slot,
            Sequence4Res result)
            throws Exception {
        boolean keep = isWanted || args.argarray().size() == 1;
        boolean finished = false;
        try {
            Compound compound = new Compound(args, call, origin, slot, room(args, keep, slot));
            Compound4Res reply = new RunningCompound(this, compound, result).run(args, call);
            if (isSequenceRefused(reply)) {
                finished = true;
                slot.withdraw();
            } else if (keep) {
                byte[] kept = Replies.kept(reply);
                finished = true;
                slot.finish(kept);
            }
            return reply;
        } finally {
            if (!finished) {
                slot.finishUncached();
            }
        }
    }

    /** Whether there was no room for the result of SEQUENCE: then nothing was run. */
    private static boolean isSequenceRefused(Compound4Res reply) {
        return reply.status() != Nfsstat4.NFS4_OK && reply.resarray().size() == 1;
    }

    private static ReplyRoom room(Compound4Args args, boolean keep, SlotCall slot) {
        long most = slot.attributes().maxResponse();
        long mostKept = slot.attributes().maxCachedResponse();
        int tag = args.tag().length();
        return keep && mostKept < most ? ReplyRoom.ofCached(mostKept, tag) : ReplyRoom.of(most, tag);
    }

    private SequenceRequest request(Compound4Args args, Sequence4Args wanted, CallOrigin caller) {
        return new SequenceRequest(
                SessionId.of(wanted.saSessionid().value().bytes()),
                (int) wanted.saSequenceid(),
                (int) wanted.saSlotid(),
                (int) wanted.saHighestSlotid(),
                args.argarray().size(),
                ReplyRoom.sizeOf(args),
                fingerprint(args, wanted, caller));
    }

    /**
     * What a slot keeps of a request to know it again. Of the operations a hash is enough, since nobody but the caller can make them collide. The caller is
     * compared, so that nobody else gets the reply.
     */
    private static Object fingerprint(Compound4Args args, Sequence4Args wanted, CallOrigin caller) {
        List<NfsOpnum4> operations =
                args.argarray().stream().map(NfsArgop4::argop).toList();
        return List.of(operations.hashCode(), wanted.saCachethis(), caller.principal(), caller.flavor());
    }

    private static Sequence4Res result(Sequence4Args wanted, SequenceResult given) {
        return new Sequence4Res.Nfs4Ok(new Sequence4Resok(
                wanted.saSessionid(),
                wanted.saSequenceid(),
                wanted.saSlotid(),
                Integer.toUnsignedLong(given.highestSlot()),
                Integer.toUnsignedLong(given.targetHighestSlot()),
                given.flags().stream().mapToLong(SequenceFlag::bit).sum()));
    }
}
