// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v4;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.samples.nfs.protocol.v4.Clientid4;
import org.emplace.samples.nfs.protocol.v4.FreeStateid4Args;
import org.emplace.samples.nfs.protocol.v4.FreeStateid4Res;
import org.emplace.samples.nfs.protocol.v4.Lock4Args;
import org.emplace.samples.nfs.protocol.v4.Lock4Denied;
import org.emplace.samples.nfs.protocol.v4.Lock4Res;
import org.emplace.samples.nfs.protocol.v4.Lock4Resok;
import org.emplace.samples.nfs.protocol.v4.Locker4;
import org.emplace.samples.nfs.protocol.v4.Lockt4Args;
import org.emplace.samples.nfs.protocol.v4.Lockt4Res;
import org.emplace.samples.nfs.protocol.v4.Locku4Args;
import org.emplace.samples.nfs.protocol.v4.Locku4Res;
import org.emplace.samples.nfs.protocol.v4.Nfs4CompoundOperations;
import org.emplace.samples.nfs.protocol.v4.NfsLockType4;
import org.emplace.samples.nfs.protocol.v4.NfsOpnum4;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.samples.nfs.protocol.v4.StateOwner4;
import org.emplace.samples.nfs.protocol.v4.Stateid4;
import org.emplace.samples.nfs.protocol.v4.TestStateid4Args;
import org.emplace.samples.nfs.protocol.v4.TestStateid4Res;
import org.emplace.samples.nfs.protocol.v4.TestStateid4Resok;
import org.emplace.samples.nfs.server.state.ByteRange;
import org.emplace.samples.nfs.server.state.Locks.Denied;
import org.emplace.samples.nfs.server.state.Locks.Granted;
import org.emplace.samples.nfs.server.state.Locks.LockResult;
import org.emplace.samples.nfs.server.state.Locks.Wanted;
import org.emplace.samples.nfs.server.state.Opaque;
import org.emplace.samples.nfs.server.state.StateException;
import org.emplace.xdr.XdrOpaque;

/** LOCK, LOCKT, LOCKU, TEST_STATEID, FREE_STATEID. */
interface LockOperations extends Nfs4CompoundOperations<Compound>, Operations {
    @Override
    default Lock4Res lock(Lock4Args args, Compound compound) {
        return answer(
                NfsOpnum4.LOCK,
                compound,
                () -> {
                    LockResult result = lock(args.locker(), wanted(args, compound), compound);
                    return result instanceof Granted granted
                            ? new Lock4Res.Nfs4Ok(new Lock4Resok(compound.result(granted.stateId())))
                            : new Lock4Res.Nfs4ErrDenied(denied((Denied) result, compound));
                },
                Lock4Res.Default::new);
    }

    private static Wanted wanted(Lock4Args args, Compound compound)
            throws IOException, StatusException, StateException {
        return wanted(compound, args.locktype(), ByteRange.of(args.offset(), args.length()), args.reclaim());
    }

    private static Wanted wanted(Compound compound, NfsLockType4 type, ByteRange range, boolean isReclaim)
            throws IOException, StatusException {
        Addressed.Stored file = compound.currentFile();
        file.attributes().requireRegular(file);
        boolean isWrite = type == NfsLockType4.WRITE_LT || type == NfsLockType4.WRITEW_LT;
        return new Wanted(file.key(), range, isWrite, isReclaim);
    }

    private LockResult lock(Locker4 locker, Wanted wanted, Compound compound) throws StatusException, StateException {
        if (locker instanceof Locker4.True first) {
            return state().locks()
                    .lock(
                            compound.clientId(),
                            compound.stateId(first.openOwner().openStateid()),
                            owner(first.openOwner().lockOwner()),
                            wanted);
        }
        Stateid4 earlier = ((Locker4.False) locker).lockOwner().lockStateid();
        return state().locks().lock(compound.clientId(), compound.stateId(earlier), wanted);
    }

    private static Opaque owner(StateOwner4 owner) {
        return new Opaque(owner.owner().bytes());
    }

    /** The client IDs of others are not told. */
    private static Lock4Denied denied(Denied by, Compound compound) {
        long client = by.clientId() == compound.clientId() ? by.clientId() : 0;
        return new Lock4Denied(
                by.range().first(),
                by.range().length(),
                by.isWrite() ? NfsLockType4.WRITE_LT : NfsLockType4.READ_LT,
                new StateOwner4(new Clientid4(client), XdrOpaque.of(by.owner().bytes())));
    }

    @Override
    default Lockt4Res lockt(Lockt4Args args, Compound compound) {
        return answer(
                NfsOpnum4.LOCKT,
                compound,
                () -> {
                    ByteRange range = ByteRange.of(args.offset(), args.length());
                    Wanted wanted = wanted(compound, args.locktype(), range, false);
                    // The holder of a write delegation may have locks that the server does not know.
                    guard().read(compound.clientId(), compound.currentFile().file());
                    Optional<Denied> conflict = state().locks().test(compound.clientId(), owner(args.owner()), wanted);
                    return conflict.isPresent()
                            ? new Lockt4Res.Nfs4ErrDenied(denied(conflict.get(), compound))
                            : new Lockt4Res.Nfs4Ok();
                },
                Lockt4Res.Default::new);
    }

    @Override
    default Locku4Res locku(Locku4Args args, Compound compound) {
        return answer(
                NfsOpnum4.LOCKU,
                compound,
                () -> new Locku4Res.Nfs4Ok(compound.result(state().locks()
                        .unlock(
                                compound.clientId(),
                                compound.stateId(args.lockStateid()),
                                compound.currentFile().key(),
                                ByteRange.of(args.offset(), args.length())))),
                Locku4Res.Default::new);
    }

    @Override
    default TestStateid4Res testStateid(TestStateid4Args args, Compound compound) {
        return answer(
                NfsOpnum4.TEST_STATEID,
                compound,
                () -> {
                    List<Nfsstat4> statuses = new ArrayList<>();
                    for (Stateid4 each : args.tsStateids()) {
                        statuses.add(tested(each, compound));
                    }
                    return new TestStateid4Res.Nfs4Ok(new TestStateid4Resok(statuses));
                },
                TestStateid4Res.Default::new);
    }

    private Nfsstat4 tested(Stateid4 stateId, Compound compound) {
        try {
            return state().stateIds()
                    .test(compound.clientId(), compound.stateId(stateId))
                    .map(wrong -> Nfsstat4.of(wrong.number()))
                    .orElse(Nfsstat4.NFS4_OK);
        } catch (StatusException e) {
            return e.status();
        }
    }

    @Override
    default FreeStateid4Res freeStateid(FreeStateid4Args args, Compound compound) {
        return answer(
                NfsOpnum4.FREE_STATEID,
                compound,
                () -> {
                    state().stateIds().free(compound.clientId(), compound.stateId(args.fsaStateid()));
                    return new FreeStateid4Res(Nfsstat4.NFS4_OK);
                },
                FreeStateid4Res::new);
    }
}
