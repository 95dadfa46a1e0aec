// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v3;

import java.nio.file.attribute.FileTime;
import java.util.Optional;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.Access3Args;
import org.emplace.samples.nfs.protocol.Access3Res;
import org.emplace.samples.nfs.protocol.Access3Resfail;
import org.emplace.samples.nfs.protocol.Access3Resok;
import org.emplace.samples.nfs.protocol.Getattr3Args;
import org.emplace.samples.nfs.protocol.Getattr3Res;
import org.emplace.samples.nfs.protocol.Getattr3Resok;
import org.emplace.samples.nfs.protocol.Nfs3Server;
import org.emplace.samples.nfs.protocol.Setattr3Args;
import org.emplace.samples.nfs.protocol.Setattr3Res;
import org.emplace.samples.nfs.protocol.Setattr3Resfail;
import org.emplace.samples.nfs.protocol.Setattr3Resok;
import org.emplace.samples.nfs.server.program.AddressedFile;
import org.emplace.samples.nfs.server.state.Delegations;
import org.emplace.samples.nfs.server.store.Store.AccessResult;
import org.emplace.samples.nfs.server.store.Store.AccessRights;
import org.emplace.samples.nfs.server.store.Store.WeakCacheConsistency;

/** GETATTR, SETATTR, ACCESS. */
interface AttributeProcedures extends Nfs3Server, Calls {
    int TO_CHANGE = AccessRights.MODIFY | AccessRights.EXTEND | AccessRights.DELETE;

    @Override
    default Getattr3Res getattr(Getattr3Args args, ServerCall call) {
        return answer(
                "GETATTR",
                () -> {
                    AddressedFile file = targetToMount(args.object(), call);
                    return new Getattr3Res.Nfs3Ok(
                            new Getattr3Resok(ToWire.attributes(file, guard().attributes(Delegations.NOBODY, file))));
                },
                Getattr3Res.Default::new);
    }

    @Override
    default Setattr3Res setattr(Setattr3Args args, ServerCall call) {
        return answer(
                "SETATTR",
                () -> {
                    AddressedFile file = target(args.object(), call).toChange();
                    Optional<FileTime> guard = args.guard().isPresent()
                            ? Optional.of(FromWire.time(args.guard().get()))
                            : Optional.empty();
                    WeakCacheConsistency change = guard().change(
                                    Delegations.NOBODY,
                                    file,
                                    () -> file.store()
                                            .setAttributes(
                                                    file.caller(),
                                                    file.id(),
                                                    FromWire.change(args.newAttributes()),
                                                    guard));
                    return new Setattr3Res.Nfs3Ok(new Setattr3Resok(ToWire.change(file, change)));
                },
                status -> new Setattr3Res.Default(status, new Setattr3Resfail(unchanged(args.object(), call))));
    }

    @Override
    default Access3Res access(Access3Args args, ServerCall call) {
        return answer(
                "ACCESS",
                () -> {
                    AddressedFile file = target(args.object(), call);
                    int asked = (int) args.access() & (file.isReadOnly() ? ~TO_CHANGE : ~0);
                    AccessResult granted = file.store().access(file.caller(), file.id(), asked);
                    return new Access3Res.Nfs3Ok(new Access3Resok(
                            Optional.of(ToWire.attributes(file, granted.file())), granted.rights() & asked));
                },
                status -> new Access3Res.Default(status, new Access3Resfail(attributesNow(args.object(), call))));
    }
}
