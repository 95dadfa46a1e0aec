// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v3;

import java.io.IOException;
import java.util.Optional;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.Commit3Args;
import org.emplace.samples.nfs.protocol.Commit3Res;
import org.emplace.samples.nfs.protocol.Commit3Resfail;
import org.emplace.samples.nfs.protocol.Commit3Resok;
import org.emplace.samples.nfs.protocol.Nfs3Server;
import org.emplace.samples.nfs.protocol.Read3Args;
import org.emplace.samples.nfs.protocol.Read3Res;
import org.emplace.samples.nfs.protocol.Read3Resfail;
import org.emplace.samples.nfs.protocol.Read3Resok;
import org.emplace.samples.nfs.protocol.StableHow;
import org.emplace.samples.nfs.protocol.Write3Args;
import org.emplace.samples.nfs.protocol.Write3Res;
import org.emplace.samples.nfs.protocol.Write3Resfail;
import org.emplace.samples.nfs.protocol.Write3Resok;
import org.emplace.samples.nfs.server.program.AddressedFile;
import org.emplace.samples.nfs.server.program.AddressedFile.BytesRead;
import org.emplace.samples.nfs.server.program.CallData;
import org.emplace.samples.nfs.server.state.Delegations;
import org.emplace.samples.nfs.server.store.Store.CommitResult;
import org.emplace.samples.nfs.server.store.Store.Stability;
import org.emplace.samples.nfs.server.store.Store.WriteResult;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.xdr.Payload;

/** READ, WRITE, COMMIT. */
interface ContentProcedures extends Nfs3Server, Calls {
    @Override
    default Read3Res read(Read3Args args, ServerCall call) {
        return answer(
                "READ",
                () -> new Read3Res.Nfs3Ok(readTo(args, call)),
                status -> new Read3Res.Default(status, new Read3Resfail(attributesNow(args.file(), call))));
    }

    private Read3Resok readTo(Read3Args args, ServerCall call) throws IOException {
        AddressedFile.requireReadable(args.offset());
        AddressedFile file = target(args.file(), call);
        guard().read(Delegations.NOBODY, file);
        BytesRead read = file.read(args.offset(), args.count(), call);
        return new Read3Resok(
                Optional.of(ToWire.attributes(file, read.now())), read.data().length(), read.end(), read.data());
    }

    @Override
    default Write3Res write(Write3Args args, ServerCall call) {
        return answer(
                "WRITE",
                () -> new Write3Res.Nfs3Ok(writeFrom(args, call)),
                status -> new Write3Res.Default(status, new Write3Resfail(unchanged(args.file(), call))));
    }

    private Write3Resok writeFrom(Write3Args args, ServerCall call) throws IOException {
        long length = args.data().length();
        if (args.count() > length) {
            throw new StoreException(
                    Failure.INVAL, "a write of " + args.count() + " bytes with " + length + " bytes of data");
        }
        AddressedFile.requireWritable(args.offset(), args.count());
        AddressedFile file = target(args.file(), call).toChange();
        Payload data = new CallData.FetchedPayload(args.data());
        Payload whole = args.count() < length ? Payload.of(data.buffer().slice(0, (int) args.count())) : data;
        Stability stability = Stability.valueOf(args.stable().name());
        WriteResult written =
                guard().change(Delegations.NOBODY, file, () -> file.write(args.offset(), whole, stability));
        return new Write3Resok(
                ToWire.change(file, written.change()),
                written.count(),
                StableHow.valueOf(written.stability().name()),
                ToWire.writeVerifier(written.verifier()));
    }

    @Override
    default Commit3Res commit(Commit3Args args, ServerCall call) {
        return answer(
                "COMMIT",
                () -> {
                    AddressedFile file = target(args.file(), call).toChange();
                    CommitResult committed = file.store().commit(file.caller(), file.id());
                    return new Commit3Res.Nfs3Ok(new Commit3Resok(
                            ToWire.change(file, committed.change()), ToWire.writeVerifier(committed.verifier())));
                },
                status -> new Commit3Res.Default(status, new Commit3Resfail(unchanged(args.file(), call))));
    }
}
