// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v4;

import java.io.IOException;
import java.util.Optional;
import org.emplace.samples.nfs.protocol.v4.Access4Args;
import org.emplace.samples.nfs.protocol.v4.Access4Res;
import org.emplace.samples.nfs.protocol.v4.Access4Resok;
import org.emplace.samples.nfs.protocol.v4.Bitmap4;
import org.emplace.samples.nfs.protocol.v4.Getattr4Args;
import org.emplace.samples.nfs.protocol.v4.Getattr4Res;
import org.emplace.samples.nfs.protocol.v4.Getattr4Resok;
import org.emplace.samples.nfs.protocol.v4.Nfs4CompoundOperations;
import org.emplace.samples.nfs.protocol.v4.NfsOpnum4;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.samples.nfs.protocol.v4.Nverify4Args;
import org.emplace.samples.nfs.protocol.v4.Nverify4Res;
import org.emplace.samples.nfs.protocol.v4.Setattr4Args;
import org.emplace.samples.nfs.protocol.v4.Setattr4Res;
import org.emplace.samples.nfs.protocol.v4.Verify4Args;
import org.emplace.samples.nfs.protocol.v4.Verify4Res;
import org.emplace.samples.nfs.server.program.AddressedFile;
import org.emplace.samples.nfs.server.store.AttributeChange;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.Store.AccessRights;

/** GETATTR, SETATTR, ACCESS, VERIFY, NVERIFY. */
interface AttributeOperations extends Nfs4CompoundOperations<Compound>, Operations {
    /** The bits of ACCESS are those of version 3. */
    int KNOWN = 0x3f;

    int TO_CHANGE = AccessRights.MODIFY | AccessRights.EXTEND | AccessRights.DELETE;
    int OF_DIRECTORIES = AccessRights.LOOKUP | AccessRights.DELETE;

    @Override
    default Getattr4Res getattr(Getattr4Args args, Compound compound) {
        return answer(
                NfsOpnum4.GETATTR,
                compound,
                () -> {
                    return new Getattr4Res.Nfs4Ok(new Getattr4Resok(
                            attributes().of(compound.current(), upToDate(compound), args.attrRequest())));
                },
                Getattr4Res.Default::new);
    }

    /** The attributes of the current file, with what another client may have changed without the server. */
    private FileAttributes upToDate(Compound compound) throws StatusException, IOException {
        return compound.current() instanceof Addressed.Stored stored
                ? guard().attributes(compound.clientId(), stored.file())
                : compound.current().attributes();
    }

    @Override
    default Setattr4Res setattr(Setattr4Args args, Compound compound) {
        return answer(
                NfsOpnum4.SETATTR,
                compound,
                () -> {
                    AddressedFile file = compound.current().toChange();
                    AttributeChange change = attributes().change(args.objAttributes());
                    if (change.size().isPresent()) {
                        state().opens()
                                .checkWrite(
                                        compound.clientId(),
                                        compound.currentFile().key(),
                                        compound.stateId(args.stateid()));
                    }
                    guard().change(
                                    compound.clientId(),
                                    file,
                                    () -> file.store()
                                            .setAttributes(file.caller(), file.id(), change, Optional.empty()));
                    return new Setattr4Res(Nfsstat4.NFS4_OK, Attributes.named(args.objAttributes()));
                },
                status -> new Setattr4Res(status, Bitmap4.of()));
    }

    @Override
    default Access4Res access(Access4Args args, Compound compound) {
        return answer(
                NfsOpnum4.ACCESS,
                compound,
                () -> {
                    Addressed target = compound.current();
                    int asked = (int) args.access() & KNOWN;
                    if (!(target instanceof Addressed.Stored stored)) {
                        return access(asked, asked & (AccessRights.READ | AccessRights.LOOKUP));
                    }
                    AddressedFile file = stored.file();
                    int possible = asked & (file.isReadOnly() ? ~TO_CHANGE : ~0);
                    int granted = file.store()
                            .access(file.caller(), file.id(), possible)
                            .rights();
                    return access(supported(asked, target.attributes()), granted & possible);
                },
                Access4Res.Default::new);
    }

    private static int supported(int asked, FileAttributes file) {
        return asked & (file.isDirectory() ? ~AccessRights.EXECUTE : ~OF_DIRECTORIES);
    }

    private static Access4Res access(int supported, int granted) {
        return new Access4Res.Nfs4Ok(new Access4Resok(supported, granted & supported));
    }

    @Override
    default Verify4Res verify(Verify4Args args, Compound compound) {
        return answer(
                NfsOpnum4.VERIFY,
                compound,
                () -> new Verify4Res(
                        attributes().same(compound.current(), upToDate(compound), args.objAttributes())
                                ? Nfsstat4.NFS4_OK
                                : Nfsstat4.NFS4ERR_NOT_SAME),
                Verify4Res::new);
    }

    @Override
    default Nverify4Res nverify(Nverify4Args args, Compound compound) {
        return answer(
                NfsOpnum4.NVERIFY,
                compound,
                () -> new Nverify4Res(
                        attributes().same(compound.current(), upToDate(compound), args.objAttributes())
                                ? Nfsstat4.NFS4ERR_SAME
                                : Nfsstat4.NFS4_OK),
                Nverify4Res::new);
    }
}
