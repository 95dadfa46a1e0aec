// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v4;

import java.io.IOException;
import java.util.Optional;
import org.emplace.samples.nfs.protocol.v4.Bitmap4;
import org.emplace.samples.nfs.protocol.v4.ChangeInfo4;
import org.emplace.samples.nfs.protocol.v4.Close4Args;
import org.emplace.samples.nfs.protocol.v4.Close4Res;
import org.emplace.samples.nfs.protocol.v4.Component4;
import org.emplace.samples.nfs.protocol.v4.Constants;
import org.emplace.samples.nfs.protocol.v4.NfsOpnum4;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.samples.nfs.protocol.v4.Open4Args;
import org.emplace.samples.nfs.protocol.v4.Open4Res;
import org.emplace.samples.nfs.protocol.v4.Open4Resok;
import org.emplace.samples.nfs.protocol.v4.OpenClaim4;
import org.emplace.samples.nfs.protocol.v4.OpenDelegation4;
import org.emplace.samples.nfs.protocol.v4.OpenDowngrade4Args;
import org.emplace.samples.nfs.protocol.v4.OpenDowngrade4Res;
import org.emplace.samples.nfs.protocol.v4.OpenDowngrade4Resok;
import org.emplace.samples.nfs.protocol.v4.Openflag4;
import org.emplace.samples.nfs.server.program.AddressedFile;
import org.emplace.samples.nfs.server.program.v4.Creating.Found;
import org.emplace.samples.nfs.server.state.Opaque;
import org.emplace.samples.nfs.server.state.Opens.Opened;
import org.emplace.samples.nfs.server.state.Opens.Share;
import org.emplace.samples.nfs.server.state.StateException;
import org.emplace.samples.nfs.server.state.StateId;
import org.emplace.samples.nfs.server.store.AttributeChange;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.Store.AccessRights;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;

/** OPEN, OPEN_DOWNGRADE, CLOSE. */
interface OpenOperations extends FilehandleOperations, DelegationOperations {
    @Override
    default Open4Res open(Open4Args args, Compound compound) {
        return answer(
                NfsOpnum4.OPEN,
                compound,
                () -> {
                    Share share = share(args.shareAccess() & ~WANTS, args.shareDeny());
                    Found found = find(args, compound);
                    Opaque owner = new Opaque(args.owner().owner().bytes());
                    if (!found.isNew()) {
                        check(found.target(), share, isNew(args.claim()), compound);
                    }
                    guard().open(compound.clientId(), found.target().key(), share);
                    Opened opened = args.claim() instanceof OpenClaim4.ClaimPrevious
                            ? state().opens()
                                    .reclaim(
                                            compound.clientId(),
                                            owner,
                                            found.target().key(),
                                            share)
                            : state().opens()
                                    .open(
                                            compound.clientId(),
                                            owner,
                                            found.target().key(),
                                            share);
                    if (!found.isNew()) {
                        truncate(args, found.target(), opened, compound);
                    }
                    compound.current(found.target());
                    return new Open4Res.Nfs4Ok(new Open4Resok(
                            compound.result(opened.stateId()),
                            found.directory(),
                            Constants.OPEN4_RESULT_LOCKTYPE_POSIX,
                            found.attributesSet(),
                            isNew(args.claim())
                                    ? delegation(
                                            (int) args.shareAccess() & WANTS,
                                            found.target(),
                                            opened.stateId(),
                                            compound)
                                    : new OpenDelegation4.OpenDelegateNone()));
                },
                Open4Res.Default::new);
    }

    private static Share share(long access, long deny) throws StoreException {
        if (access < Share.READ || access > Share.BOTH || deny > Share.BOTH) {
            throw new StoreException(Failure.INVAL, "an open with access " + access + " that denies " + deny);
        }
        return new Share((int) access, (int) deny);
    }

    /** Finds or creates the file to open. */
    private Found find(Open4Args args, Compound compound) throws IOException, StatusException, StateException {
        boolean create = args.openhow() instanceof Openflag4.Open4Create;
        if (!(args.claim() instanceof OpenClaim4.ClaimNull claim)) {
            if (create) {
                throw new StoreException(Failure.INVAL, "a file to create that must exist");
            }
            return claimed(args.claim(), compound);
        }
        if (create && compound.current() instanceof Addressed.Stored directory) {
            directory.requireDirectory();
            state().opens().requireRoom(compound.clientId());
            return new Creating(directory, Operations.name(directory.file(), claim.file()), attributes())
                    .by(((Openflag4.Open4Create) args.openhow()).how());
        }
        return existing(compound, claim.file());
    }

    private Found claimed(OpenClaim4 claim, Compound compound) throws IOException, StatusException, StateException {
        if (claim instanceof OpenClaim4.ClaimDelegateCur delegated) {
            Found found = existing(compound, delegated.delegateCurInfo().file());
            StateId stateId = compound.stateId(delegated.delegateCurInfo().delegateStateid());
            state().delegations().require(compound.clientId(), found.target().key(), stateId);
            return found;
        } else if (claim instanceof OpenClaim4.ClaimDelegCurFh delegated) {
            StateId stateId = compound.stateId(delegated.ocDelegateStateid());
            state().delegations()
                    .require(compound.clientId(), compound.currentFile().key(), stateId);
        } else if (!(claim instanceof OpenClaim4.ClaimFh || claim instanceof OpenClaim4.ClaimPrevious)) {
            throw new StatusException(Nfsstat4.NFS4ERR_NOTSUPP, "a claim of what this server has not granted");
        }
        return new Found(compound.currentFile(), new ChangeInfo4(false, 0, 0), false, Bitmap4.of());
    }

    private Found existing(Compound compound, Component4 name) throws IOException, StatusException {
        compound.current().requireDirectory();
        long change = Attributes.change(compound.current().attributes());
        if (entry(compound, name) instanceof Addressed.Stored file) {
            return new Found(file, new ChangeInfo4(false, change, change), false, Bitmap4.of());
        }
        throw new StoreException(Failure.ISDIR, "a directory above the exports");
    }

    /**
     * Whether a client opens what it has not had open. It gets no delegation when it returns one, nor when it reclaims: others may still reclaim
     * what conflicts.
     */
    private static boolean isNew(OpenClaim4 claim) {
        return claim instanceof OpenClaim4.ClaimNull || claim instanceof OpenClaim4.ClaimFh;
    }

    /**
     * Checks that a file which existed before can be opened so, by this caller. Its owner may have created it open with more rights than its mode gives,
     * and reclaims that.
     */
    private static void check(Addressed.Stored target, Share share, boolean isNew, Compound compound)
            throws IOException, StatusException {
        FileAttributes attributes = target.attributes();
        if (attributes.isSymbolicLink()) {
            throw new StatusException(Nfsstat4.NFS4ERR_SYMLINK, "a symbolic link cannot be opened");
        } else if (attributes.isDirectory()) {
            throw new StoreException(Failure.ISDIR, "a directory cannot be opened");
        } else if (!attributes.isRegular()) {
            throw new StatusException(Nfsstat4.NFS4ERR_WRONG_TYPE, "only a regular file can be opened");
        }
        boolean writes = (share.access() & Share.WRITE) != 0;
        AddressedFile file = writes ? target.file().toChange() : target.file();
        int asked = AccessRights.READ | AccessRights.EXECUTE | AccessRights.MODIFY;
        int granted = file.store().access(file.caller(), file.id(), asked).rights();
        boolean mayRead = (granted & (AccessRights.READ | AccessRights.EXECUTE)) != 0;
        boolean mayWrite = (granted & AccessRights.MODIFY) != 0;
        boolean reads = (share.access() & Share.READ) != 0;
        boolean reclaimsItsOwn = !isNew && file.caller().owns(attributes);
        if (!reclaimsItsOwn && ((reads && !mayRead) || (writes && !mayWrite))) {
            throw new StoreException(Failure.ACCES, "a file that " + compound.origin() + " may not open so");
        }
    }

    /** Sets the size of a file that UNCHECKED4 found, once no open of others denies it. If that fails, nothing is open. */
    private void truncate(Open4Args args, Addressed.Stored target, Opened opened, Compound compound)
            throws IOException, StatusException, StateException {
        Optional<Long> size = args.openhow() instanceof Openflag4.Open4Create create
                ? Creating.size(create.how(), attributes())
                : Optional.empty();
        if (size.isEmpty()) {
            return;
        }
        AddressedFile file = target.file();
        AttributeChange change = new AttributeChange(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                size,
                AttributeChange.NONE.accessed(),
                AttributeChange.NONE.modified());
        try {
            state().opens().checkWrite(compound.clientId(), target.key(), opened.stateId());
            file.toChange().store().setAttributes(file.caller(), file.id(), change, Optional.empty());
        } catch (IOException | RuntimeException | StateException e) {
            if (opened.isNew()) {
                state().opens().close(compound.clientId(), target.key(), opened.stateId());
            }
            throw e;
        }
    }

    @Override
    default OpenDowngrade4Res openDowngrade(OpenDowngrade4Args args, Compound compound) {
        return answer(
                NfsOpnum4.OPEN_DOWNGRADE,
                compound,
                () -> {
                    Share share = share(args.shareAccess() & ~WANTS, args.shareDeny());
                    Addressed.Stored file = compound.currentFile();
                    return new OpenDowngrade4Res.Nfs4Ok(new OpenDowngrade4Resok(compound.result(state().opens()
                            .downgrade(compound.clientId(), file.key(), compound.stateId(args.openStateid()), share))));
                },
                OpenDowngrade4Res.Default::new);
    }

    @Override
    default Close4Res close(Close4Args args, Compound compound) {
        return answer(
                NfsOpnum4.CLOSE,
                compound,
                () -> {
                    Addressed.Stored file = compound.currentFile();
                    return new Close4Res.Nfs4Ok(compound.result(state().opens()
                            .close(compound.clientId(), file.key(), compound.stateId(args.openStateid()))));
                },
                Close4Res.Default::new);
    }
}
