// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v4;

import java.util.List;
import java.util.Optional;
import org.emplace.reactor.Peer;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.v4.BackchannelCtl4Args;
import org.emplace.samples.nfs.protocol.v4.BackchannelCtl4Res;
import org.emplace.samples.nfs.protocol.v4.BindConnToSession4Args;
import org.emplace.samples.nfs.protocol.v4.BindConnToSession4Res;
import org.emplace.samples.nfs.protocol.v4.BindConnToSession4Resok;
import org.emplace.samples.nfs.protocol.v4.ChannelAttrs4;
import org.emplace.samples.nfs.protocol.v4.ChannelDirFromClient4;
import org.emplace.samples.nfs.protocol.v4.ChannelDirFromServer4;
import org.emplace.samples.nfs.protocol.v4.Clientid4;
import org.emplace.samples.nfs.protocol.v4.Constants;
import org.emplace.samples.nfs.protocol.v4.CreateSession4Args;
import org.emplace.samples.nfs.protocol.v4.CreateSession4Res;
import org.emplace.samples.nfs.protocol.v4.CreateSession4Resok;
import org.emplace.samples.nfs.protocol.v4.DestroyClientid4Args;
import org.emplace.samples.nfs.protocol.v4.DestroyClientid4Res;
import org.emplace.samples.nfs.protocol.v4.DestroySession4Args;
import org.emplace.samples.nfs.protocol.v4.DestroySession4Res;
import org.emplace.samples.nfs.protocol.v4.ExchangeId4Args;
import org.emplace.samples.nfs.protocol.v4.ExchangeId4Res;
import org.emplace.samples.nfs.protocol.v4.ExchangeId4Resok;
import org.emplace.samples.nfs.protocol.v4.Nfs4CompoundOperations;
import org.emplace.samples.nfs.protocol.v4.NfsOpnum4;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.samples.nfs.protocol.v4.ReclaimComplete4Args;
import org.emplace.samples.nfs.protocol.v4.ReclaimComplete4Res;
import org.emplace.samples.nfs.protocol.v4.ServerOwner4;
import org.emplace.samples.nfs.protocol.v4.Sessionid4;
import org.emplace.samples.nfs.protocol.v4.StateProtect4A;
import org.emplace.samples.nfs.protocol.v4.StateProtect4R;
import org.emplace.samples.nfs.server.state.CallOrigin;
import org.emplace.samples.nfs.server.state.ChannelAttributes;
import org.emplace.samples.nfs.server.state.Clients.ClientIdentity;
import org.emplace.samples.nfs.server.state.Clients.ClientOwner;
import org.emplace.samples.nfs.server.state.Clients.CreatedSession;
import org.emplace.samples.nfs.server.state.Clients.SessionRequest;
import org.emplace.samples.nfs.server.state.Opaque;
import org.emplace.samples.nfs.server.state.SessionId;
import org.emplace.samples.nfs.server.state.StateException;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrUnsignedInts;

/** The operations of clients, sessions and connections. {@link Nfs4Program} answers SEQUENCE. */
interface SessionOperations extends Nfs4CompoundOperations<Compound>, Operations {
    long KNOWN_CLIENT_FLAGS = Constants.EXCHGID4_FLAG_SUPP_MOVED_REFER
            | Constants.EXCHGID4_FLAG_SUPP_MOVED_MIGR
            | Constants.EXCHGID4_FLAG_BIND_PRINC_STATEID
            | Constants.EXCHGID4_FLAG_MASK_PNFS
            | Constants.EXCHGID4_FLAG_UPD_CONFIRMED_REC_A;
    long KNOWN_SESSION_FLAGS = Constants.CREATE_SESSION4_FLAG_PERSIST
            | Constants.CREATE_SESSION4_FLAG_CONN_BACK_CHAN
            | Constants.CREATE_SESSION4_FLAG_CONN_RDMA;

    @Override
    default ExchangeId4Res exchangeId(ExchangeId4Args args, Compound compound) {
        return answer(
                NfsOpnum4.EXCHANGE_ID,
                compound,
                () -> {
                    requireKnown(
                            args.eiaFlags(),
                            compound.minorVersion() == 1
                                    ? KNOWN_CLIENT_FLAGS
                                    : KNOWN_CLIENT_FLAGS | Constants.EXCHGID4_FLAG_SUPP_FENCE_OPS);
                    requireUnprotected(args.eiaStateProtect());
                    ClientOwner owner = new ClientOwner(
                            opaque(args.eiaClientowner().coOwnerid()),
                            opaque(args.eiaClientowner().coVerifier().value()));
                    boolean isUpdate = (args.eiaFlags() & Constants.EXCHGID4_FLAG_UPD_CONFIRMED_REC_A) != 0;
                    ClientIdentity identity = state().clients().exchangeId(owner, isUpdate, origin(compound));
                    long flags = Constants.EXCHGID4_FLAG_USE_NON_PNFS
                            | (identity.isConfirmed() ? Constants.EXCHGID4_FLAG_CONFIRMED_R : 0);
                    XdrOpaque server = program().identity();
                    return new ExchangeId4Res.Nfs4Ok(new ExchangeId4Resok(
                            new Clientid4(identity.clientId()),
                            Integer.toUnsignedLong(identity.sequence()),
                            flags,
                            new StateProtect4R.Sp4None(),
                            new ServerOwner4(0, server),
                            server,
                            List.of()));
                },
                ExchangeId4Res.Default::new);
    }

    private static void requireKnown(long flags, long known) throws StoreException {
        if ((flags & ~known) != 0) {
            throw new StoreException(Failure.INVAL, "unknown flags: 0x" + Long.toHexString(flags & ~known));
        }
    }

    private static void requireUnprotected(StateProtect4A protection) throws StatusException, StoreException {
        if (protection instanceof StateProtect4A.Sp4Ssv) {
            throw new StatusException(Nfsstat4.NFS4ERR_ENCR_ALG_UNSUPP, "state protection by SSV");
        } else if (protection instanceof StateProtect4A.Sp4MachCred) {
            throw new StoreException(
                    Failure.INVAL, "state protection by the machine's credential, which this server does not offer");
        }
    }

    private static Opaque opaque(XdrOpaque bytes) {
        return new Opaque(bytes.bytes());
    }

    private CallOrigin origin(Compound compound) {
        return new CallOrigin(
                compound.origin().principal(),
                Peer.of(compound.origin().address().getAddress()),
                program().connections().key(compound.call().connection()));
    }

    @Override
    default CreateSession4Res createSession(CreateSession4Args args, Compound compound) {
        return answer(
                NfsOpnum4.CREATE_SESSION,
                compound,
                () -> {
                    requireKnown(args.csaFlags(), KNOWN_SESSION_FLAGS);
                    CreatedSession session = state().clients()
                            .createSession(
                                    new SessionRequest(
                                            args.csaClientid().value(),
                                            (int) args.csaSequence(),
                                            attributes(args.csaForeChanAttrs()),
                                            attributes(args.csaBackChanAttrs())),
                                    origin(compound));
                    Optional<Object> target =
                            Callbacks.target(compound.minorVersion(), args.csaCbProgram(), args.csaSecParms());
                    state().backChannels().configure(session.id(), target);
                    boolean calledBack = target.isPresent()
                            && (args.csaFlags() & Constants.CREATE_SESSION4_FLAG_CONN_BACK_CHAN) != 0;
                    if (calledBack) {
                        bindBack(session.id(), compound);
                    }
                    return new CreateSession4Res.Nfs4Ok(new CreateSession4Resok(
                            new Sessionid4(XdrOpaque.of(session.id().bytes())),
                            Integer.toUnsignedLong(session.sequence()),
                            calledBack ? Constants.CREATE_SESSION4_FLAG_CONN_BACK_CHAN : 0,
                            attributes(session.fore(), session.fore().maxResponse()),
                            // Linux before 6.18 gives up if this is less than it offers.
                            attributes(session.back(), args.csaBackChanAttrs().caMaxresponsesize())));
                },
                CreateSession4Res.Default::new);
    }

    private void bindBack(SessionId session, Compound compound) throws StateException {
        ServerCall.Connection connection = compound.call().connection();
        Object key = program().connections().key(connection);
        connection.enableBackwardCalls();
        state().backChannels()
                .bind(session, key)
                .filter(target -> program().grantsDelegations())
                .ifPresent(target -> probe(session, connection, key, target));
    }

    /** Calls CB_NULL, once at a time for each connection of a session. */
    private void probe(SessionId session, ServerCall.Connection connection, Object key, Object target) {
        program()
                .callbacks()
                .probe(
                        connection,
                        (Callbacks.Target) target,
                        works -> state().backChannels()
                                .probed(session, key, works)
                                .ifPresent(next -> probe(session, connection, key, next)));
    }

    private static ChannelAttributes attributes(ChannelAttrs4 wanted) {
        return new ChannelAttributes(
                wanted.caMaxrequestsize(),
                wanted.caMaxresponsesize(),
                wanted.caMaxresponsesizeCached(),
                wanted.caMaxoperations(),
                wanted.caMaxrequests());
    }

    private static ChannelAttrs4 attributes(ChannelAttributes given, long maxResponse) {
        return new ChannelAttrs4(
                0,
                given.maxRequest(),
                maxResponse,
                given.maxCachedResponse(),
                given.maxOperations(),
                given.maxRequests(),
                XdrUnsignedInts.of());
    }

    @Override
    default BindConnToSession4Res bindConnToSession(BindConnToSession4Args args, Compound compound) {
        return answer(
                NfsOpnum4.BIND_CONN_TO_SESSION,
                compound,
                () -> {
                    SessionId session = SessionId.of(args.bctsaSessid().value().bytes());
                    state().sessions()
                            .bind(
                                    session,
                                    program().connections().key(compound.call().connection()));
                    if (args.bctsaDir() != ChannelDirFromClient4.CDFC4_FORE) {
                        bindBack(session, compound);
                    }
                    return new BindConnToSession4Res.Nfs4Ok(
                            new BindConnToSession4Resok(args.bctsaSessid(), direction(args.bctsaDir()), false));
                },
                BindConnToSession4Res.Default::new);
    }

    private static ChannelDirFromServer4 direction(ChannelDirFromClient4 wanted) {
        return switch (wanted) {
            case CDFC4_FORE -> ChannelDirFromServer4.CDFS4_FORE;
            case CDFC4_BACK -> ChannelDirFromServer4.CDFS4_BACK;
            case CDFC4_FORE_OR_BOTH, CDFC4_BACK_OR_BOTH -> ChannelDirFromServer4.CDFS4_BOTH;
        };
    }

    @Override
    default BackchannelCtl4Res backchannelCtl(BackchannelCtl4Args args, Compound compound) {
        return answer(
                NfsOpnum4.BACKCHANNEL_CTL,
                compound,
                () -> {
                    Optional<Object> target =
                            Callbacks.target(compound.minorVersion(), args.bcaCbProgram(), args.bcaSecParms());
                    if (target.isEmpty()) {
                        throw new StoreException(Failure.INVAL, "no flavor that this server makes callbacks with");
                    }
                    state().backChannels().configure(compound.session(), target);
                    return new BackchannelCtl4Res(Nfsstat4.NFS4_OK);
                },
                BackchannelCtl4Res::new);
    }

    @Override
    default DestroySession4Res destroySession(DestroySession4Args args, Compound compound) {
        return answer(
                NfsOpnum4.DESTROY_SESSION,
                compound,
                () -> {
                    state().sessions()
                            .destroy(
                                    SessionId.of(args.dsaSessionid().value().bytes()),
                                    program().connections().key(compound.call().connection()),
                                    compound.slot());
                    return new DestroySession4Res(Nfsstat4.NFS4_OK);
                },
                DestroySession4Res::new);
    }

    @Override
    default DestroyClientid4Res destroyClientid(DestroyClientid4Args args, Compound compound) {
        return answer(
                NfsOpnum4.DESTROY_CLIENTID,
                compound,
                () -> {
                    state().clients().destroy(args.dcaClientid().value());
                    return new DestroyClientid4Res(Nfsstat4.NFS4_OK);
                },
                DestroyClientid4Res::new);
    }

    /** For one file system there is nothing to reclaim either, and it does not matter which. */
    @Override
    default ReclaimComplete4Res reclaimComplete(ReclaimComplete4Args args, Compound compound) {
        return answer(
                NfsOpnum4.RECLAIM_COMPLETE,
                compound,
                () -> {
                    if (args.rcaOneFs()) {
                        compound.current();
                    } else {
                        state().clients().reclaimComplete(compound.clientId());
                    }
                    return new ReclaimComplete4Res(Nfsstat4.NFS4_OK);
                },
                ReclaimComplete4Res::new);
    }
}
