// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

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
import org.emplace.samples.nfs.protocol.Setattr3Args;
import org.emplace.samples.nfs.protocol.Setattr3Res;
import org.emplace.samples.nfs.protocol.Setattr3Resfail;
import org.emplace.samples.nfs.protocol.Setattr3Resok;
import org.emplace.samples.nfs.server.export.Export;
import org.emplace.samples.nfs.server.export.Node;
import org.emplace.samples.nfs.server.export.WeakCacheAttributes;

/** GETATTR, SETATTR, ACCESS. */
final class AttributeProcedures {
    private final Export export;
    private final ToWire wire;

    AttributeProcedures(Export export, ToWire wire) {
        this.export = export;
        this.wire = wire;
    }

    Getattr3Res getattr(Getattr3Args args) {
        return Answer.of(
                "GETATTR",
                () -> {
                    Node node = export.attributes().get(FromWire.handle(args.object()));
                    return new Getattr3Res.Resok(new Getattr3Resok(wire.attributes(node.attributes())));
                },
                Getattr3Res.Otherwise::new);
    }

    Setattr3Res setattr(Setattr3Args args, ServerCall call) {
        return Answer.of(
                "SETATTR",
                () -> {
                    Optional<FileTime> guard = args.guard().isPresent()
                            ? Optional.of(FromWire.time(args.guard().get()))
                            : Optional.empty();
                    WeakCacheAttributes change = export.attributes()
                            .set(
                                    FromWire.caller(call),
                                    FromWire.handle(args.object()),
                                    FromWire.change(args.newAttributes()),
                                    guard);
                    return new Setattr3Res.Resok(new Setattr3Resok(wire.change(change)));
                },
                status -> new Setattr3Res.Resfail(status, new Setattr3Resfail(wire.unchanged(args.object()))));
    }

    Access3Res access(Access3Args args, ServerCall call) {
        return Answer.of(
                "ACCESS",
                () -> {
                    Node node = export.attributes().get(FromWire.handle(args.object()));
                    int granted = export.attributes().access(FromWire.caller(call), node, (int) args.access());
                    return new Access3Res.Resok(new Access3Resok(wire.attributes(node), granted));
                },
                status -> new Access3Res.Resfail(status, new Access3Resfail(wire.attributesNow(args.object()))));
    }
}
