// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v4;

import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.emplace.samples.nfs.protocol.v4.Allocate4Args;
import org.emplace.samples.nfs.protocol.v4.Allocate4Res;
import org.emplace.samples.nfs.protocol.v4.Copy4Args;
import org.emplace.samples.nfs.protocol.v4.Copy4Res;
import org.emplace.samples.nfs.protocol.v4.Copy4Resok;
import org.emplace.samples.nfs.protocol.v4.CopyRequirements4;
import org.emplace.samples.nfs.protocol.v4.DataContent4;
import org.emplace.samples.nfs.protocol.v4.Deallocate4Args;
import org.emplace.samples.nfs.protocol.v4.Deallocate4Res;
import org.emplace.samples.nfs.protocol.v4.Nfs4CompoundOperations;
import org.emplace.samples.nfs.protocol.v4.NfsOpnum4;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.samples.nfs.protocol.v4.Seek4Args;
import org.emplace.samples.nfs.protocol.v4.Seek4Res;
import org.emplace.samples.nfs.protocol.v4.SeekRes4;
import org.emplace.samples.nfs.protocol.v4.Stateid4;
import org.emplace.samples.nfs.protocol.v4.WriteResponse4;
import org.emplace.samples.nfs.server.program.AddressedFile;
import org.emplace.samples.nfs.server.state.StateException;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.Store.ReadableFile;
import org.emplace.samples.nfs.server.store.Store.WriteResult;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;

/** SEEK, ALLOCATE, DEALLOCATE, COPY, which are new in minor version 2 (RFC 7862 section 15). */
interface SpaceOperations extends Nfs4CompoundOperations<Compound>, Operations {
    @Override
    default Seek4Res seek(Seek4Args args, Compound compound) {
        return answer(
                NfsOpnum4.SEEK,
                compound,
                () -> {
                    Addressed.Stored target = compound.currentFile();
                    state().opens().checkRead(compound.clientId(), target.key(), compound.stateId(args.saStateid()));
                    guard().read(compound.clientId(), target.file());
                    return new Seek4Res.Nfs4Ok(
                            seek(target.file(), args.saOffset(), args.saWhat() == DataContent4.NFS4_CONTENT_HOLE));
                },
                Seek4Res.Default::new);
    }

    private static SeekRes4 seek(AddressedFile file, long offset, boolean hole) throws IOException {
        try (ReadableFile open = file.store().read(file.caller(), file.id())) {
            FileAttributes now = open.attributes();
            if (offset < 0 || offset >= now.size()) {
                throw new StoreException(Failure.NXIO, "a search from the end of the file, or beyond");
            }
            OptionalLong found = open.seek(offset, hole);
            // A file ends with a hole without bytes.
            long end = open.attributes().size();
            return found.isPresent() && found.getAsLong() < end
                    ? new SeekRes4(false, found.getAsLong())
                    : new SeekRes4(true, end);
        }
    }

    @Override
    default Allocate4Res allocate(Allocate4Args args, Compound compound) {
        return answer(
                NfsOpnum4.ALLOCATE,
                compound,
                () -> {
                    space(compound, args.aaStateid(), args.aaOffset(), args.aaLength(), true);
                    return new Allocate4Res(Nfsstat4.NFS4_OK);
                },
                Allocate4Res::new);
    }

    @Override
    default Deallocate4Res deallocate(Deallocate4Args args, Compound compound) {
        return answer(
                NfsOpnum4.DEALLOCATE,
                compound,
                () -> {
                    space(compound, args.daStateid(), args.daOffset(), args.daLength(), false);
                    return new Deallocate4Res(Nfsstat4.NFS4_OK);
                },
                Deallocate4Res::new);
    }

    private void space(Compound compound, Stateid4 stateId, long offset, long length, boolean isAllocated)
            throws IOException, StatusException, StateException {
        Addressed.Stored target = compound.currentFile();
        state().opens().checkWrite(compound.clientId(), target.key(), compound.stateId(stateId));
        AddressedFile file = target.file().toChange();
        if (length == 0) {
            throw new StoreException(Failure.INVAL, "a range without bytes");
        }
        AddressedFile.requireWritable(offset, length);
        guard().change(
                        compound.clientId(),
                        file,
                        () -> isAllocated
                                ? file.store().allocate(file.caller(), file.id(), offset, length)
                                : file.store().deallocate(file.caller(), file.id(), offset, length));
    }

    /** Copies at once, whatever the client would permit, and perhaps fewer bytes than it wants. */
    @Override
    default Copy4Res copy(Copy4Args args, Compound compound) {
        return answer(
                NfsOpnum4.COPY,
                compound,
                () -> {
                    if (!args.caSourceServer().isEmpty()) {
                        throw new StoreException(Failure.NOTSUPP, "a copy from another server");
                    }
                    Addressed.Stored source = compound.savedFile();
                    Addressed.Stored target = compound.currentFile();
                    long client = compound.clientId();
                    int most = compound.copyRoom();
                    state().opens().checkRead(client, source.key(), compound.savedStateId(args.caSrcStateid()));
                    state().opens().checkWrite(client, target.key(), compound.stateId(args.caDstStateid()));
                    guard().read(client, source.file());
                    WriteResult copied = guard().change(
                                    client,
                                    target.file(),
                                    () -> source.file()
                                            .copy(
                                                    args.caSrcOffset(),
                                                    target.file(),
                                                    args.caDstOffset(),
                                                    args.caCount(),
                                                    most));
                    compound.copied(copied.count());
                    return new Copy4Res.Nfs4Ok(new Copy4Resok(
                            new WriteResponse4(
                                    List.of(),
                                    copied.count(),
                                    ContentOperations.committed(copied.stability()),
                                    ContentOperations.verifier(copied.verifier())),
                            new CopyRequirements4(true, true)));
                },
                Copy4Res.Default::new);
    }
}
