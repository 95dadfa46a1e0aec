// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v4;

import java.nio.ByteBuffer;
import org.emplace.samples.nfs.protocol.v4.Commit4Args;
import org.emplace.samples.nfs.protocol.v4.Commit4Res;
import org.emplace.samples.nfs.protocol.v4.Commit4Resok;
import org.emplace.samples.nfs.protocol.v4.Nfs4CompoundOperations;
import org.emplace.samples.nfs.protocol.v4.NfsOpnum4;
import org.emplace.samples.nfs.protocol.v4.Read4Args;
import org.emplace.samples.nfs.protocol.v4.Read4Res;
import org.emplace.samples.nfs.protocol.v4.Read4Resok;
import org.emplace.samples.nfs.protocol.v4.StableHow4;
import org.emplace.samples.nfs.protocol.v4.Verifier4;
import org.emplace.samples.nfs.protocol.v4.Write4Args;
import org.emplace.samples.nfs.protocol.v4.Write4Res;
import org.emplace.samples.nfs.protocol.v4.Write4Resok;
import org.emplace.samples.nfs.server.program.AddressedFile;
import org.emplace.samples.nfs.server.program.AddressedFile.BytesRead;
import org.emplace.samples.nfs.server.program.CallData.FetchedPayload;
import org.emplace.samples.nfs.server.store.Store.Stability;
import org.emplace.samples.nfs.server.store.Store.WriteResult;
import org.emplace.xdr.XdrOpaque;

/** READ, WRITE, COMMIT. */
interface ContentOperations extends Nfs4CompoundOperations<Compound>, Operations {
    @Override
    default Read4Res read(Read4Args args, Compound compound) {
        return answer(
                NfsOpnum4.READ,
                compound,
                () -> {
                    Addressed.Stored target = compound.currentFile();
                    state().opens().checkRead(compound.clientId(), target.key(), compound.stateId(args.stateid()));
                    guard().read(compound.clientId(), target.file());
                    BytesRead read = target.file().read(args.offset(), args.count(), compound.call());
                    return new Read4Res.Nfs4Ok(new Read4Resok(read.end(), read.data()));
                },
                Read4Res.Default::new);
    }

    @Override
    default Write4Res write(Write4Args args, Compound compound) {
        return answer(
                NfsOpnum4.WRITE,
                compound,
                () -> {
                    Addressed.Stored target = compound.currentFile();
                    state().opens().checkWrite(compound.clientId(), target.key(), compound.stateId(args.stateid()));
                    WriteResult written = guard().change(
                                    compound.clientId(),
                                    target.file(),
                                    () -> target.file()
                                            .write(
                                                    args.offset(),
                                                    new FetchedPayload(args.data()),
                                                    stability(args.stable())));
                    return new Write4Res.Nfs4Ok(new Write4Resok(
                            written.count(), committed(written.stability()), verifier(written.verifier())));
                },
                Write4Res.Default::new);
    }

    @Override
    default Commit4Res commit(Commit4Args args, Compound compound) {
        return answer(
                NfsOpnum4.COMMIT,
                compound,
                () -> {
                    AddressedFile file = compound.currentFile().file().toChange();
                    return new Commit4Res.Nfs4Ok(new Commit4Resok(verifier(
                            file.store().commit(file.caller(), file.id()).verifier())));
                },
                Commit4Res.Default::new);
    }

    private static Stability stability(StableHow4 wanted) {
        return switch (wanted) {
            case UNSTABLE4 -> Stability.UNSTABLE;
            case DATA_SYNC4 -> Stability.DATA_SYNC;
            case FILE_SYNC4 -> Stability.FILE_SYNC;
        };
    }

    static StableHow4 committed(Stability how) {
        return switch (how) {
            case UNSTABLE -> StableHow4.UNSTABLE4;
            case DATA_SYNC -> StableHow4.DATA_SYNC4;
            case FILE_SYNC -> StableHow4.FILE_SYNC4;
        };
    }

    static Verifier4 verifier(long value) {
        return new Verifier4(
                XdrOpaque.copyOf(ByteBuffer.allocate(Long.BYTES).putLong(value).flip()));
    }
}
