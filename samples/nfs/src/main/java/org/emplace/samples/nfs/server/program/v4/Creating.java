// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v4;

import java.io.IOException;
import java.util.Optional;
import org.emplace.samples.nfs.protocol.v4.Bitmap4;
import org.emplace.samples.nfs.protocol.v4.ChangeInfo4;
import org.emplace.samples.nfs.protocol.v4.Constants;
import org.emplace.samples.nfs.protocol.v4.Createhow4;
import org.emplace.samples.nfs.protocol.v4.Createmode4;
import org.emplace.samples.nfs.protocol.v4.Fattr4;
import org.emplace.samples.nfs.protocol.v4.Verifier4;
import org.emplace.samples.nfs.server.program.AddressedFile;
import org.emplace.samples.nfs.server.store.AttributeChange;
import org.emplace.samples.nfs.server.store.Creation;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store.CreationResult;
import org.emplace.samples.nfs.server.store.Store.FoundFile;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.xdr.XdrOpaque;

/** Finds or creates the file of an OPEN with OPEN4_CREATE (RFC 8881 section 18.16.3). */
record Creating(Target.Stored directory, FileName name, Attributes attributes) {
    /** A name can be made and removed by others meanwhile, but not for ever. */
    private static final int TRIES = 8;

    /**
     * The file.
     *
     * @param directory the change of its directory
     * @param isNew whether this call has made it, or an earlier transmission of the same call
     */
    record Found(Target.Stored target, ChangeInfo4 directory, boolean isNew, Bitmap4 attributesSet) {}

    Found by(Createhow4 how) throws IOException, StatusException {
        if (how instanceof Createhow4.Exclusive41 exclusive) {
            return exclusively(
                    exclusive.chCreateboth().cvaVerf(), exclusive.chCreateboth().cvaAttrs());
        } else if (how instanceof Createhow4.Exclusive4 exclusive) {
            return exclusively(exclusive.createverf(), new Fattr4(Bitmap4.of(), XdrOpaque.EMPTY));
        }
        Fattr4 values = ((Createhow4.Unchecked4) how).createattrs();
        AttributeChange wanted = attributes.change(values);
        boolean guarded = how.mode() == Createmode4.GUARDED4;
        for (int i = 0; i < TRIES; i++) {
            Optional<FoundFile> existing = guarded ? Optional.empty() : lookup();
            if (existing.isPresent()) {
                long change = Attributes.change(directory.attributes());
                Bitmap4 set = wanted.size().isPresent() ? Bitmap4.of(Constants.FATTR4_SIZE) : Bitmap4.of();
                return new Found(directory.other(existing.get()), new ChangeInfo4(false, change, change), false, set);
            }
            try {
                return made(create(new Creation.Guarded(wanted)), values.attrmask());
            } catch (StoreException e) {
                if (guarded || e.failure() != Failure.EXIST) {
                    throw e;
                }
            }
        }
        throw new StoreException(Failure.JUKEBOX, "others make and remove the same name again and again");
    }

    private Optional<FoundFile> lookup() throws IOException {
        AddressedFile in = directory.file();
        try {
            return Optional.of(in.store().lookup(in.caller(), in.id(), name));
        } catch (StoreException e) {
            if (e.failure() == Failure.NOENT) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private CreationResult create(Creation how) throws IOException {
        AddressedFile in = directory.file().toChange();
        return in.store().create(in.caller(), in.id(), name, how);
    }

    private Found made(CreationResult result, Bitmap4 set) throws IOException {
        return new Found(
                directory.other(result.file()), Operations.change(directory.file(), result.directory()), true, set);
    }

    /** The verifier is in the file's times, so the client has to set these afterwards: the result says that they have been set. */
    private Found exclusively(Verifier4 verifier, Fattr4 values) throws IOException, StatusException {
        AttributeChange wanted = attributes.change(values);
        if (wanted.setsTimes()) {
            throw new StoreException(Failure.INVAL, "times that an exclusive creation cannot set");
        }
        AddressedFile in = directory.file();
        CreationResult result = create(
                new Creation.Exclusive(verifier.value().asReadOnlyBuffer().getLong()));
        if (!wanted.equals(AttributeChange.NONE)) {
            in.store().setAttributes(in.caller(), result.id(), wanted, Optional.empty());
        }
        return made(result, values.attrmask().with(Constants.FATTR4_TIME_ACCESS).with(Constants.FATTR4_TIME_MODIFY));
    }

    /** The size that an existing file gets. */
    static Optional<Long> size(Createhow4 how, Attributes attributes) throws StatusException, StoreException {
        return how instanceof Createhow4.Unchecked4 unchecked && how.mode() == Createmode4.UNCHECKED4
                ? attributes.change(unchecked.createattrs()).size()
                : Optional.empty();
    }
}
