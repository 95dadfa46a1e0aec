// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v4;

import java.io.IOException;
import org.emplace.samples.nfs.protocol.v4.Create4Args;
import org.emplace.samples.nfs.protocol.v4.Create4Res;
import org.emplace.samples.nfs.protocol.v4.Create4Resok;
import org.emplace.samples.nfs.protocol.v4.Createtype4;
import org.emplace.samples.nfs.protocol.v4.Link4Args;
import org.emplace.samples.nfs.protocol.v4.Link4Res;
import org.emplace.samples.nfs.protocol.v4.Link4Resok;
import org.emplace.samples.nfs.protocol.v4.Nfs4CompoundOperations;
import org.emplace.samples.nfs.protocol.v4.NfsFtype4;
import org.emplace.samples.nfs.protocol.v4.NfsOpnum4;
import org.emplace.samples.nfs.protocol.v4.Remove4Args;
import org.emplace.samples.nfs.protocol.v4.Remove4Res;
import org.emplace.samples.nfs.protocol.v4.Remove4Resok;
import org.emplace.samples.nfs.protocol.v4.Rename4Args;
import org.emplace.samples.nfs.protocol.v4.Rename4Res;
import org.emplace.samples.nfs.protocol.v4.Rename4Resok;
import org.emplace.samples.nfs.server.program.AddressedFile;
import org.emplace.samples.nfs.server.program.CallData;
import org.emplace.samples.nfs.server.store.AttributeChange;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.FileType;
import org.emplace.samples.nfs.server.store.Store.CreationResult;
import org.emplace.samples.nfs.server.store.Store.RenameResult;
import org.emplace.samples.nfs.server.store.Store.WeakCacheConsistency;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;

/** The operations that make, change and remove names: CREATE, REMOVE, RENAME, LINK. */
interface NameOperations extends Nfs4CompoundOperations<Compound>, Operations {
    @Override
    default Create4Res create(Create4Args args, Compound compound) {
        return answer(
                NfsOpnum4.CREATE,
                compound,
                () -> {
                    compound.current().requireDirectory();
                    AddressedFile in = compound.current().toChange();
                    FileName name = Operations.name(in, args.objname());
                    AttributeChange wanted =
                            attributes().change(args.createattrs()).withoutSize();
                    CreationResult made = make(in, name, args.objtype(), wanted);
                    compound.current(compound.currentFile().other(made.file()));
                    return new Create4Res.Nfs4Ok(new Create4Resok(
                            Operations.change(in, made.directory()), Attributes.named(args.createattrs())));
                },
                Create4Res.Default::new);
    }

    private static CreationResult make(AddressedFile in, FileName name, Createtype4 what, AttributeChange wanted)
            throws IOException {
        if (what.type() == NfsFtype4.NF4DIR) {
            return in.store().makeDirectory(in.caller(), in.id(), name, wanted);
        } else if (what instanceof Createtype4.Nf4Lnk link) {
            return in.store().makeSymbolicLink(in.caller(), in.id(), name, CallData.target(link.linkdata()), wanted);
        } else if (what instanceof Createtype4.Nf4Blk device) {
            long number = CallData.device(
                    device.devdata().specdata1(), device.devdata().specdata2());
            FileType type = what.type() == NfsFtype4.NF4BLK ? FileType.BLOCK_DEVICE : FileType.CHARACTER_DEVICE;
            return in.store().makeNode(in.caller(), in.id(), name, type, number, wanted);
        } else if (what instanceof Createtype4.Nf4Sock) {
            FileType type = what.type() == NfsFtype4.NF4SOCK ? FileType.SOCKET : FileType.FIFO;
            return in.store().makeNode(in.caller(), in.id(), name, type, 0, wanted);
        }
        throw new StoreException(Failure.BADTYPE, "a file of type " + what.type());
    }

    @Override
    default Remove4Res remove(Remove4Args args, Compound compound) {
        return answer(
                NfsOpnum4.REMOVE,
                compound,
                () -> {
                    compound.current().requireDirectory();
                    AddressedFile in = compound.current().toChange();
                    FileName name = Operations.name(in, args.target());
                    state().requireGraceOver();
                    return new Remove4Res.Nfs4Ok(new Remove4Resok(Operations.change(
                            in, guard().changeEntry(compound.clientId(), in, name, () -> remove(in, name)))));
                },
                Remove4Res.Default::new);
    }

    /** Removes a file or an empty directory: a name is never both. */
    private static WeakCacheConsistency remove(AddressedFile in, FileName name) throws IOException {
        try {
            return in.store().remove(in.caller(), in.id(), name);
        } catch (StoreException e) {
            if (e.failure() != Failure.ISDIR) {
                throw e;
            }
            return in.store().removeDirectory(in.caller(), in.id(), name);
        }
    }

    @Override
    default Rename4Res rename(Rename4Args args, Compound compound) {
        return answer(
                NfsOpnum4.RENAME,
                compound,
                () -> {
                    compound.saved().requireDirectory();
                    compound.current().requireDirectory();
                    AddressedFile from = compound.saved().toChange();
                    AddressedFile to = compound.current().toChange();
                    FileName oldName = Operations.name(from, args.oldname());
                    FileName newName = Operations.name(to, args.newname());
                    state().requireGraceOver();
                    RenameResult renamed = guard().rename(compound.clientId(), from, oldName, to, newName);
                    return new Rename4Res.Nfs4Ok(new Rename4Resok(
                            Operations.change(from, renamed.from()), Operations.change(to, renamed.to())));
                },
                Rename4Res.Default::new);
    }

    @Override
    default Link4Res link(Link4Args args, Compound compound) {
        return answer(
                NfsOpnum4.LINK,
                compound,
                () -> {
                    compound.current().requireDirectory();
                    AddressedFile file = compound.saved().stored(Failure.ISDIR).toChange();
                    AddressedFile in = compound.current().toChange();
                    FileName name = Operations.name(in, args.newname());
                    CreationResult made = guard().change(
                                    compound.clientId(),
                                    file,
                                    () -> file.store().link(file.caller(), file.id(), file.beside(in), name));
                    return new Link4Res.Nfs4Ok(new Link4Resok(Operations.change(in, made.directory())));
                },
                Link4Res.Default::new);
    }
}
