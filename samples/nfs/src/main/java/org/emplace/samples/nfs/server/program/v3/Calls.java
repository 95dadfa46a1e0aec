// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v3;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.protocol.WccData;
import org.emplace.samples.nfs.server.export.Exports;
import org.emplace.samples.nfs.server.export.Exports.ExportedFile;
import org.emplace.samples.nfs.server.program.AddressedFile;
import org.emplace.samples.nfs.server.program.CallData;
import org.emplace.samples.nfs.server.program.CallFailures;
import org.emplace.samples.nfs.server.program.DelegationGuard;
import org.emplace.samples.nfs.server.store.Store.FileOperation;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;

/** The common part of the procedures: finds files by their handles, and converts exceptions to statuses. */
interface Calls {
    Exports exports();

    CallFailures failures();

    DelegationGuard guard();

    /** The body's results, or the failure for its exception. */
    default <R> R answer(String procedure, FileOperation<R> body, Function<Nfsstat3, R> failed) {
        try {
            return body.run();
        } catch (IOException | RuntimeException thrown) {
            return failed.apply(Nfsstat3.of(failures().of(procedure, thrown).status()));
        }
    }

    /**
     * Finds the file of a handle, on behalf of the sender of a call.
     *
     * @throws StoreException of BADHANDLE, STALE, or of ACCES if the file's export does not admit the sender, or the flavor of the call
     */
    default AddressedFile target(NfsFh3 handle, ServerCall call) throws StoreException {
        return requireListed(byAnyFlavor(handle, call));
    }

    private static AddressedFile requireListed(AddressedFile file) throws StoreException {
        if (!file.access().byListedFlavor()) {
            throw new StoreException(Failure.ACCES, file.file().export() + " is not exported for this flavor of calls");
        }
        return file;
    }

    /** Like {@link #target}, but the root of an export may also be found by a flavor that it does not list: clients mount so (RFC 2623 section 2.3.2). */
    default AddressedFile targetToMount(NfsFh3 handle, ServerCall call) throws IOException {
        AddressedFile file = byAnyFlavor(handle, call);
        return file.access().byListedFlavor()
                        || !file.id().equals(file.store().root().id())
                ? requireListed(file)
                : file;
    }

    private AddressedFile byAnyFlavor(NfsFh3 handle, ServerCall call) throws StoreException {
        ExportedFile file = exports().file(handle.data().bytes());
        return new AddressedFile(
                exports(),
                file,
                file.export().admit(CallData.origin(call, exports().principals())));
    }

    /** Attributes to send with a failure; empty if getting them fails too. */
    default Optional<Fattr3> attributesNow(NfsFh3 handle, ServerCall call) {
        try {
            return ToWire.attributesNow(target(handle, call));
        } catch (IOException | RuntimeException alsoFailed) {
            return Optional.empty();
        }
    }

    /** Attributes of a file to send with the failure of an operation on it. */
    default WccData unchanged(NfsFh3 handle, ServerCall call) {
        return new WccData(Optional.empty(), attributesNow(handle, call));
    }
}
