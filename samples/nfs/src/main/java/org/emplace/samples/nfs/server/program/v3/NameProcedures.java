// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v3;

import java.nio.ByteBuffer;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.Lookup3Args;
import org.emplace.samples.nfs.protocol.Lookup3Res;
import org.emplace.samples.nfs.protocol.Lookup3Resfail;
import org.emplace.samples.nfs.protocol.Lookup3Resok;
import org.emplace.samples.nfs.protocol.Nfs3Server;
import org.emplace.samples.nfs.protocol.Readlink3Args;
import org.emplace.samples.nfs.protocol.Readlink3Res;
import org.emplace.samples.nfs.protocol.Readlink3Resfail;
import org.emplace.samples.nfs.protocol.Readlink3Resok;
import org.emplace.samples.nfs.protocol.Remove3Args;
import org.emplace.samples.nfs.protocol.Remove3Res;
import org.emplace.samples.nfs.protocol.Remove3Resfail;
import org.emplace.samples.nfs.protocol.Remove3Resok;
import org.emplace.samples.nfs.protocol.Rename3Args;
import org.emplace.samples.nfs.protocol.Rename3Res;
import org.emplace.samples.nfs.protocol.Rename3Resfail;
import org.emplace.samples.nfs.protocol.Rename3Resok;
import org.emplace.samples.nfs.protocol.Rmdir3Args;
import org.emplace.samples.nfs.protocol.Rmdir3Res;
import org.emplace.samples.nfs.protocol.Rmdir3Resfail;
import org.emplace.samples.nfs.protocol.Rmdir3Resok;
import org.emplace.samples.nfs.server.program.AddressedFile;
import org.emplace.samples.nfs.server.state.Delegations;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store.FoundFile;
import org.emplace.samples.nfs.server.store.Store.RenameResult;
import org.emplace.samples.nfs.server.store.Store.WeakCacheConsistency;
import org.emplace.xdr.Payload;

/** The procedures that find, change and remove names: LOOKUP, READLINK, REMOVE, RMDIR, RENAME. */
interface NameProcedures extends Nfs3Server, Calls {
    @Override
    default Lookup3Res lookup(Lookup3Args args, ServerCall call) {
        return answer(
                "LOOKUP",
                () -> {
                    AddressedFile in = target(args.what().dir(), call);
                    FoundFile found = in.store()
                            .lookup(in.caller(), in.id(), in.name(args.what().name()));
                    return new Lookup3Res.Nfs3Ok(new Lookup3Resok(
                            ToWire.handle(in, found),
                            ToWire.attributes(in, found),
                            attributesNow(args.what().dir(), call)));
                },
                status -> new Lookup3Res.Default(
                        status, new Lookup3Resfail(attributesNow(args.what().dir(), call))));
    }

    @Override
    default Readlink3Res readlink(Readlink3Args args, ServerCall call) {
        return answer(
                "READLINK",
                () -> {
                    AddressedFile link = target(args.symlink(), call);
                    byte[] content = link.store().readLink(link.id());
                    return new Readlink3Res.Nfs3Ok(new Readlink3Resok(
                            attributesNow(args.symlink(), call), Payload.of(ByteBuffer.wrap(content))));
                },
                status -> new Readlink3Res.Default(status, new Readlink3Resfail(attributesNow(args.symlink(), call))));
    }

    @Override
    default Remove3Res remove(Remove3Args args, ServerCall call) {
        return answer(
                "REMOVE",
                () -> {
                    AddressedFile in = target(args.object().dir(), call).toChange();
                    FileName name = in.name(args.object().name());
                    WeakCacheConsistency change = guard().changeEntry(
                                    Delegations.NOBODY,
                                    in,
                                    name,
                                    () -> in.store().remove(in.caller(), in.id(), name));
                    return new Remove3Res.Nfs3Ok(new Remove3Resok(ToWire.change(in, change)));
                },
                status -> new Remove3Res.Default(
                        status, new Remove3Resfail(unchanged(args.object().dir(), call))));
    }

    @Override
    default Rmdir3Res rmdir(Rmdir3Args args, ServerCall call) {
        return answer(
                "RMDIR",
                () -> {
                    AddressedFile in = target(args.object().dir(), call).toChange();
                    WeakCacheConsistency change = in.store()
                            .removeDirectory(
                                    in.caller(), in.id(), in.name(args.object().name()));
                    return new Rmdir3Res.Nfs3Ok(new Rmdir3Resok(ToWire.change(in, change)));
                },
                status -> new Rmdir3Res.Default(
                        status, new Rmdir3Resfail(unchanged(args.object().dir(), call))));
    }

    @Override
    default Rename3Res rename(Rename3Args args, ServerCall call) {
        return answer(
                "RENAME",
                () -> {
                    AddressedFile from = target(args.from().dir(), call).toChange();
                    AddressedFile to = target(args.to().dir(), call).toChange();
                    RenameResult renamed = guard().rename(
                                    Delegations.NOBODY,
                                    from,
                                    from.name(args.from().name()),
                                    to,
                                    to.name(args.to().name()));
                    return new Rename3Res.Nfs3Ok(
                            new Rename3Resok(ToWire.change(from, renamed.from()), ToWire.change(to, renamed.to())));
                },
                status -> new Rename3Res.Default(
                        status,
                        new Rename3Resfail(
                                unchanged(args.from().dir(), call),
                                unchanged(args.to().dir(), call))));
    }
}
