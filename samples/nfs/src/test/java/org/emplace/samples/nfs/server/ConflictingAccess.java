// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.emplace.samples.nfs.client.calls.RemoteAttributes;
import org.emplace.samples.nfs.protocol.Create3Args;
import org.emplace.samples.nfs.protocol.Createhow3;
import org.emplace.samples.nfs.protocol.Createmode3;
import org.emplace.samples.nfs.protocol.Getattr3Args;
import org.emplace.samples.nfs.protocol.Link3Args;
import org.emplace.samples.nfs.protocol.Nfs3Client;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Read3Args;
import org.emplace.samples.nfs.protocol.Remove3Args;
import org.emplace.samples.nfs.protocol.Rename3Args;
import org.emplace.samples.nfs.protocol.Setattr3Args;
import org.emplace.samples.nfs.protocol.StableHow;
import org.emplace.samples.nfs.protocol.Write3Args;
import org.emplace.samples.nfs.protocol.v4.Bitmap4;
import org.emplace.samples.nfs.protocol.v4.Component4;
import org.emplace.samples.nfs.protocol.v4.Constants;
import org.emplace.samples.nfs.protocol.v4.Copy4Args;
import org.emplace.samples.nfs.protocol.v4.DataContent4;
import org.emplace.samples.nfs.protocol.v4.Nfs4CompoundCall;
import org.emplace.samples.nfs.protocol.v4.NfsFh4;
import org.emplace.samples.nfs.protocol.v4.NfsLockType4;
import org.emplace.samples.nfs.protocol.v4.StableHow4;
import org.emplace.xdr.Payload;

/** Accesses by another client, of either version, that conflict with a write delegation of the file {@code file}. */
enum ConflictingAccess {
    READ(by -> by.call(call -> {
        call.putFh(by.file);
        call.read(Client4.ANONYMOUS, 0, 10, null);
    })),
    WRITE(by -> by.call(call -> {
        call.putFh(by.file);
        call.write(Client4.ANONYMOUS, 0, StableHow4.UNSTABLE4, data());
    })),
    COPY_TO(by -> by.call(call -> {
        call.lookup(Component4.of("another"));
        call.saveFh();
        call.putFh(by.file);
        call.copy(new Copy4Args(Client4.ANONYMOUS, Client4.ANONYMOUS, 0, 0, 0, true, true, List.of()));
    })),
    COPY_FROM(by -> by.call(call -> {
        call.putFh(by.file);
        call.saveFh();
        Client4.walk(call, by.directory).lookup(Component4.of("another"));
        call.copy(new Copy4Args(Client4.ANONYMOUS, Client4.ANONYMOUS, 0, 0, 0, true, true, List.of()));
    })),
    SEEK(by -> by.call(call -> {
        call.putFh(by.file);
        call.seek(Client4.ANONYMOUS, 0, DataContent4.NFS4_CONTENT_DATA);
    })),
    ALLOCATE(by -> by.call(call -> {
        call.putFh(by.file);
        call.allocate(Client4.ANONYMOUS, 0, 10);
    })),
    DEALLOCATE(by -> by.call(call -> {
        call.putFh(by.file);
        call.deallocate(Client4.ANONYMOUS, 0, 10);
    })),
    GETATTR(by -> by.call(call -> {
        call.putFh(by.file);
        call.getattr(Bitmap4.of(Constants.FATTR4_SIZE));
    })),
    LOCKT(by -> by.call(call -> {
        call.putFh(by.file);
        call.lockt(NfsLockType4.READ_LT, 0, 10, by.client.owner("lock"));
    })),
    SETATTR(by -> by.call(call -> {
        call.putFh(by.file);
        call.setattr(Client4.ANONYMOUS, Client4.mode(0600));
    })),
    OPEN(by -> by.call(call -> by.client.open(call, "owner", "file", Constants.OPEN4_SHARE_ACCESS_READ, 0))),
    REMOVE(by -> by.call(call -> call.remove(Component4.of("file")))),
    RENAME(by -> by.call(call -> {
        call.saveFh();
        call.rename(Component4.of("file"), Component4.of("new"));
    })),
    RENAME_OVER(by -> by.call(call -> {
        call.saveFh();
        call.rename(Component4.of("another"), Component4.of("file"));
    })),
    LINK(by -> by.call(call -> {
        call.putFh(by.file);
        call.saveFh();
        Client4.walk(call, by.directory).link(Component4.of("new"));
    })),
    V3_READ(by -> by.nfs.read(new Read3Args(by.handle(), 0, 10), null).status().value()),
    V3_WRITE(by -> by.nfs
            .write(new Write3Args(by.handle(), 0, data().length(), StableHow.UNSTABLE, data()))
            .status()
            .value()),
    V3_GETATTR(by -> by.nfs.getattr(new Getattr3Args(by.handle())).status().value()),
    V3_SETATTR(by -> by.nfs
            .setattr(new Setattr3Args(by.handle(), RemoteAttributes.mode(0600), Optional.empty()))
            .status()
            .value()),
    V3_REMOVE(by -> by.nfs
            .remove(new Remove3Args(Served.in(by.root(), "file")))
            .status()
            .value()),
    V3_RENAME(by -> by.nfs
            .rename(new Rename3Args(Served.in(by.root(), "file"), Served.in(by.root(), "new")))
            .status()
            .value()),
    V3_RENAME_OVER(by -> by.nfs
            .rename(new Rename3Args(Served.in(by.root(), "another"), Served.in(by.root(), "file")))
            .status()
            .value()),
    V3_LINK(by -> by.nfs
            .link(new Link3Args(by.handle(), Served.in(by.root(), "new")))
            .status()
            .value()),
    V3_CREATE(by -> by.nfs
            .create(new Create3Args(
                    Served.in(by.root(), "file"),
                    new Createhow3.Unchecked(Createmode3.UNCHECKED, RemoteAttributes.size(0))))
            .status()
            .value());

    @SuppressWarnings("ImmutableEnumChecker") // its values have no state
    private final Access access;

    ConflictingAccess(Access access) {
        this.access = access;
    }

    @FunctionalInterface
    private interface Access {
        int status(Other by) throws IOException, InterruptedException;
    }

    /** The status, whose numbers both versions share. */
    int status(Other by) throws IOException, InterruptedException {
        return access.status(by);
    }

    /** Who makes it. */
    record Other(Client4 client, Nfs3Client nfs, Path directory, NfsFh4 folder, NfsFh4 file) {
        private int call(Consumer<Nfs4CompoundCall> operations) throws IOException, InterruptedException {
            Nfs4CompoundCall call = client.at(directory, false);
            operations.accept(call);
            return call.await().status().value();
        }

        /** Both versions have the same handles. */
        private NfsFh3 handle() {
            return new NfsFh3(file.value());
        }

        private NfsFh3 root() {
            return new NfsFh3(folder.value());
        }
    }

    private static Payload data() {
        return Payload.of(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    }
}
