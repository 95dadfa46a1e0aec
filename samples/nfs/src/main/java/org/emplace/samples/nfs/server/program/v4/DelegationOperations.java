// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v4;

import java.io.IOException;
import org.emplace.samples.nfs.protocol.v4.Constants;
import org.emplace.samples.nfs.protocol.v4.Delegreturn4Args;
import org.emplace.samples.nfs.protocol.v4.Delegreturn4Res;
import org.emplace.samples.nfs.protocol.v4.Nfs4CompoundOperations;
import org.emplace.samples.nfs.protocol.v4.NfsOpnum4;
import org.emplace.samples.nfs.protocol.v4.NfsSpaceLimit4;
import org.emplace.samples.nfs.protocol.v4.Nfsace4;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.samples.nfs.protocol.v4.OpenDelegation4;
import org.emplace.samples.nfs.protocol.v4.OpenNoneDelegation4;
import org.emplace.samples.nfs.protocol.v4.OpenReadDelegation4;
import org.emplace.samples.nfs.protocol.v4.OpenWriteDelegation4;
import org.emplace.samples.nfs.protocol.v4.Stateid4;
import org.emplace.samples.nfs.protocol.v4.WhyNoDelegation4;
import org.emplace.samples.nfs.server.state.Delegations.Decision;
import org.emplace.samples.nfs.server.state.Delegations.Granted;
import org.emplace.samples.nfs.server.state.Delegations.Refused;
import org.emplace.samples.nfs.server.state.Delegations.Want;
import org.emplace.samples.nfs.server.state.Opaque;
import org.emplace.samples.nfs.server.state.StateException;
import org.emplace.samples.nfs.server.state.StateId;
import org.emplace.xdr.XdrOpaque;

/** DELEGRETURN, and the delegations that OPEN grants. */
interface DelegationOperations extends Nfs4CompoundOperations<Compound>, Operations {
    /** What a client may say about delegations that it wants. */
    int WANTS = Constants.OPEN4_SHARE_ACCESS_WANT_DELEG_MASK
            | Constants.OPEN4_SHARE_ACCESS_WANT_SIGNAL_DELEG_WHEN_RESRC_AVAIL
            | Constants.OPEN4_SHARE_ACCESS_WANT_PUSH_DELEG_WHEN_UNCONTENDED
            | 0x100000 // a delegation of the times, and ...
            | 0x200000; // ... one instead of an open (RFC 9754): wishes that are not granted

    /** The access control entry of a delegation. It grants nothing to anybody, so clients have to call ACCESS. */
    Nfsace4 NO_PERMISSIONS = new Nfsace4(Constants.ACE4_ACCESS_ALLOWED_ACE_TYPE, 0, 0, XdrOpaque.EMPTY);

    /** The delegation in OPEN's result. If there is none, the result says why, but only to clients that have said what they want. */
    default OpenDelegation4 delegation(int wants, Addressed.Stored file, StateId open, Compound compound) {
        int kind = wants & Constants.OPEN4_SHARE_ACCESS_WANT_DELEG_MASK;
        if (kind == Constants.OPEN4_SHARE_ACCESS_WANT_NO_DELEG) {
            return none(WhyNoDelegation4.WND4_NOT_WANTED);
        } else if (kind == Constants.OPEN4_SHARE_ACCESS_WANT_CANCEL) {
            return none(WhyNoDelegation4.WND4_CANCELLED);
        } else if (!program().grantsDelegations()) {
            return wants == 0 ? new OpenDelegation4.OpenDelegateNone() : none(WhyNoDelegation4.WND4_NOT_SUPP_FTYPE);
        }
        Want want = file.isReadOnly() || kind == Constants.OPEN4_SHARE_ACCESS_WANT_READ_DELEG
                ? Want.READ
                : kind == Constants.OPEN4_SHARE_ACCESS_WANT_WRITE_DELEG ? Want.WRITE : Want.ANY;
        Opaque handle = new Opaque(file.handle().bytes());
        Decision decision;
        try {
            long change = want == Want.READ ? 0 : Attributes.change(file.attributes());
            decision = state().delegations().grant(compound.clientId(), file.key(), open, want, handle, change);
        } catch (StateException | IOException changed) {
            // Another OPEN or a CLOSE of the owner has overtaken this one, which has succeeded, or the file was
            // removed.
            decision = Refused.RESOURCE;
        }
        if (decision instanceof Granted granted) {
            Stateid4 stateId = Compound.encoded(granted.stateId());
            return granted.isWrite()
                    ? new OpenDelegation4.OpenDelegateWrite(new OpenWriteDelegation4(
                            stateId, false, new NfsSpaceLimit4.NfsLimitSize(Long.MAX_VALUE), NO_PERMISSIONS))
                    : new OpenDelegation4.OpenDelegateRead(new OpenReadDelegation4(stateId, false, NO_PERMISSIONS));
        }
        return wants == 0 ? new OpenDelegation4.OpenDelegateNone() : why((Refused) decision);
    }

    private static OpenDelegation4 why(Refused refused) {
        return switch (refused) {
            case CONTENTION -> new OpenDelegation4.OpenDelegateNoneExt(new OpenNoneDelegation4.Wnd4Contention(false));
            case RESOURCE -> new OpenDelegation4.OpenDelegateNoneExt(new OpenNoneDelegation4.Wnd4Resource(false));
            case NO_UPGRADE -> none(WhyNoDelegation4.WND4_NOT_SUPP_UPGRADE);
            case NO_DOWNGRADE -> none(WhyNoDelegation4.WND4_NOT_SUPP_DOWNGRADE);
        };
    }

    private static OpenDelegation4 none(WhyNoDelegation4 why) {
        return new OpenDelegation4.OpenDelegateNoneExt(new OpenNoneDelegation4.Default(why));
    }

    @Override
    default Delegreturn4Res delegReturn(Delegreturn4Args args, Compound compound) {
        return answer(
                NfsOpnum4.DELEG_RETURN,
                compound,
                () -> {
                    state().delegations()
                            .giveBack(
                                    compound.clientId(),
                                    compound.currentFile().key(),
                                    compound.stateId(args.delegStateid()));
                    return new Delegreturn4Res(Nfsstat4.NFS4_OK);
                },
                Delegreturn4Res::new);
    }
}
