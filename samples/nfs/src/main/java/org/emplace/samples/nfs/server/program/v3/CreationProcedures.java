// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v3;

import java.io.IOException;
import java.util.Optional;
import java.util.function.BiFunction;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.Create3Args;
import org.emplace.samples.nfs.protocol.Create3Res;
import org.emplace.samples.nfs.protocol.Create3Resfail;
import org.emplace.samples.nfs.protocol.Create3Resok;
import org.emplace.samples.nfs.protocol.Createhow3;
import org.emplace.samples.nfs.protocol.Createmode3;
import org.emplace.samples.nfs.protocol.Diropargs3;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.Link3Args;
import org.emplace.samples.nfs.protocol.Link3Res;
import org.emplace.samples.nfs.protocol.Link3Resfail;
import org.emplace.samples.nfs.protocol.Link3Resok;
import org.emplace.samples.nfs.protocol.Mkdir3Args;
import org.emplace.samples.nfs.protocol.Mkdir3Res;
import org.emplace.samples.nfs.protocol.Mkdir3Resfail;
import org.emplace.samples.nfs.protocol.Mkdir3Resok;
import org.emplace.samples.nfs.protocol.Mknod3Args;
import org.emplace.samples.nfs.protocol.Mknod3Res;
import org.emplace.samples.nfs.protocol.Mknod3Resfail;
import org.emplace.samples.nfs.protocol.Mknod3Resok;
import org.emplace.samples.nfs.protocol.Mknoddata3;
import org.emplace.samples.nfs.protocol.Nfs3Server;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.protocol.Specdata3;
import org.emplace.samples.nfs.protocol.Symlink3Args;
import org.emplace.samples.nfs.protocol.Symlink3Res;
import org.emplace.samples.nfs.protocol.Symlink3Resfail;
import org.emplace.samples.nfs.protocol.Symlink3Resok;
import org.emplace.samples.nfs.protocol.WccData;
import org.emplace.samples.nfs.server.program.AddressedFile;
import org.emplace.samples.nfs.server.program.CallData;
import org.emplace.samples.nfs.server.state.Delegations;
import org.emplace.samples.nfs.server.store.AttributeChange;
import org.emplace.samples.nfs.server.store.Creation;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store.CreationResult;
import org.emplace.samples.nfs.server.store.Store.FileOperation;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;

/** The procedures that create names: CREATE, MKDIR, SYMLINK, MKNOD, LINK. */
interface CreationProcedures extends Nfs3Server, Calls {
    /** Creates a file in a directory. */
    @FunctionalInterface
    interface Making {
        CreationResult in(AddressedFile directory, FileName name) throws IOException;
    }

    /** Makes the results of a procedure that has created a file. */
    @FunctionalInterface
    interface Made<R> {
        R of(Optional<NfsFh3> file, Optional<Fattr3> attributes, WccData directory);
    }

    private <R> R creating(
            String procedure,
            Diropargs3 where,
            ServerCall call,
            Making making,
            Made<R> made,
            BiFunction<Nfsstat3, WccData, R> failed) {
        return answer(
                procedure,
                () -> {
                    AddressedFile in = target(where.dir(), call).toChange();
                    CreationResult result = making.in(in, in.name(where.name()));
                    return made.of(
                            Optional.of(ToWire.handle(in, result.file())),
                            ToWire.attributes(in, result.file()),
                            ToWire.change(in, result.directory()));
                },
                status -> failed.apply(status, unchanged(where.dir(), call)));
    }

    @Override
    default Create3Res create(Create3Args args, ServerCall call) {
        return creating(
                "CREATE",
                args.where(),
                call,
                (in, name) -> create(in, name, creation(args.how())),
                (file, attributes, directory) -> new Create3Res.Nfs3Ok(new Create3Resok(file, attributes, directory)),
                (status, directory) -> new Create3Res.Default(status, new Create3Resfail(directory)));
    }

    private CreationResult create(AddressedFile in, FileName name, Creation how) throws IOException {
        FileOperation<CreationResult> operation = () -> in.store().create(in.caller(), in.id(), name, how);
        boolean mayTruncate = how instanceof Creation.Unchecked wanted
                && wanted.attributes().size().isPresent();
        return mayTruncate ? guard().changeCreated(Delegations.NOBODY, in, name, operation) : operation.run();
    }

    private static Creation creation(Createhow3 how) throws StoreException {
        if (how instanceof Createhow3.Exclusive exclusive) {
            return new Creation.Exclusive(FromWire.verifier(exclusive.verf().value()));
        }
        AttributeChange wanted = FromWire.change(((Createhow3.Unchecked) how).objAttributes());
        return how.mode() == Createmode3.GUARDED ? new Creation.Guarded(wanted) : new Creation.Unchecked(wanted);
    }

    @Override
    default Mkdir3Res mkdir(Mkdir3Args args, ServerCall call) {
        return creating(
                "MKDIR",
                args.where(),
                call,
                (in, name) -> in.store().makeDirectory(in.caller(), in.id(), name, FromWire.change(args.attributes())),
                (file, attributes, directory) -> new Mkdir3Res.Nfs3Ok(new Mkdir3Resok(file, attributes, directory)),
                (status, directory) -> new Mkdir3Res.Default(status, new Mkdir3Resfail(directory)));
    }

    @Override
    default Symlink3Res symlink(Symlink3Args args, ServerCall call) {
        return creating(
                "SYMLINK",
                args.where(),
                call,
                (in, name) -> in.store()
                        .makeSymbolicLink(
                                in.caller(),
                                in.id(),
                                name,
                                CallData.target(args.symlink().symlinkData()),
                                FromWire.change(args.symlink().symlinkAttributes())),
                (file, attributes, directory) -> new Symlink3Res.Nfs3Ok(new Symlink3Resok(file, attributes, directory)),
                (status, directory) -> new Symlink3Res.Default(status, new Symlink3Resfail(directory)));
    }

    @Override
    default Mknod3Res mknod(Mknod3Args args, ServerCall call) {
        return creating(
                "MKNOD",
                args.where(),
                call,
                (in, name) -> makeNode(in, name, args.what()),
                (file, attributes, directory) -> new Mknod3Res.Nfs3Ok(new Mknod3Resok(file, attributes, directory)),
                (status, directory) -> new Mknod3Res.Default(status, new Mknod3Resfail(directory)));
    }

    private static CreationResult makeNode(AddressedFile in, FileName name, Mknoddata3 what) throws IOException {
        long device = 0;
        AttributeChange wanted;
        if (what instanceof Mknoddata3.Nf3Chr node) {
            Specdata3 spec = node.device().spec();
            device = CallData.device(spec.specdata1(), spec.specdata2());
            wanted = FromWire.change(node.device().devAttributes());
        } else if (what instanceof Mknoddata3.Nf3Sock node) {
            wanted = FromWire.change(node.pipeAttributes());
        } else {
            throw new StoreException(Failure.BADTYPE, "a node of type " + what.type());
        }
        return in.store().makeNode(in.caller(), in.id(), name, FromWire.type(what.type()), device, wanted);
    }

    @Override
    default Link3Res link(Link3Args args, ServerCall call) {
        return answer(
                "LINK",
                () -> {
                    AddressedFile file = target(args.file(), call).toChange();
                    AddressedFile in = target(args.link().dir(), call).toChange();
                    FileName name = in.name(args.link().name());
                    CreationResult made = guard().change(
                                    Delegations.NOBODY,
                                    file,
                                    () -> file.store().link(file.caller(), file.id(), file.beside(in), name));
                    return new Link3Res.Nfs3Ok(
                            new Link3Resok(ToWire.attributes(in, made.file()), ToWire.change(in, made.directory())));
                },
                status -> new Link3Res.Default(
                        status,
                        new Link3Resfail(
                                attributesNow(args.file(), call),
                                unchanged(args.link().dir(), call))));
    }
}
