// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v4;

import java.io.IOException;
import java.util.function.Function;
import org.emplace.samples.nfs.protocol.v4.ChangeInfo4;
import org.emplace.samples.nfs.protocol.v4.Component4;
import org.emplace.samples.nfs.protocol.v4.NfsOpnum4;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.samples.nfs.server.program.AddressedFile;
import org.emplace.samples.nfs.server.program.DelegationGuard;
import org.emplace.samples.nfs.server.state.StateException;
import org.emplace.samples.nfs.server.state.StateTable;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store.WeakCacheConsistency;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.xdr.XdrValue;

/** The common part of the operations: converts exceptions to statuses, and names and changes to and from the protocol. */
interface Operations {
    Nfs4Program program();

    default StateTable state() {
        return program().state();
    }

    default DelegationGuard guard() {
        return program().guard();
    }

    default Attributes attributes() {
        return program().attributes();
    }

    /** The body's result, or the failure for its exception. */
    default <R extends XdrValue> R answer(
            NfsOpnum4 operation, Compound compound, Compound.Body<R> body, Function<Nfsstat4, R> failed) {
        try {
            compound.next();
            compound.room().requireRoom(operation);
            R result = body.run();
            compound.room().take(result);
            return result;
        } catch (StatusException e) {
            program().failures().refused(operation.toString(), e);
            return failed.apply(e.status());
        } catch (StateException e) {
            program().failures().refused(operation.toString(), e);
            return failed.apply(Nfsstat4.of(e.status().number()));
        } catch (IOException | RuntimeException e) {
            // The statuses that both versions have are the same numbers.
            return failed.apply(
                    Nfsstat4.of(program().failures().of(operation.toString(), e).status()));
        }
    }

    /** A name for an entry of a directory (RFC 8881 section 14.5). */
    static FileName name(AddressedFile directory, Component4 name) throws StatusException, StoreException {
        FileName checked = directory.name(name.value());
        require(checked);
        return checked;
    }

    /**
     * Checks that a name could be that of an entry.
     *
     * @throws StoreException INVAL if it is empty
     * @throws StatusException BADNAME or BADCHAR
     */
    static void require(FileName name) throws StatusException, StoreException {
        byte[] bytes = name.bytes();
        if (bytes.length == 0) {
            throw new StoreException(Failure.INVAL, "an empty file name");
        }
        if (bytes[0] == '.' && (bytes.length == 1 || (bytes.length == 2 && bytes[1] == '.'))) {
            throw new StatusException(Nfsstat4.NFS4ERR_BADNAME, "the name of a directory itself or of its parent");
        }
        for (byte each : bytes) {
            if (each == 0 || each == '/') {
                throw new StatusException(Nfsstat4.NFS4ERR_BADCHAR, "a file name with a NUL or slash");
            }
        }
    }

    /** The change of a directory by an operation. */
    static ChangeInfo4 change(AddressedFile directory, WeakCacheConsistency change) throws IOException {
        long after = Attributes.change(
                change.after().isPresent()
                        ? change.after().get()
                        : directory.store().file(directory.id()).attributes());
        return change.before()
                .map(before -> new ChangeInfo4(true, Attributes.change(before), after))
                .orElse(new ChangeInfo4(false, after, after));
    }
}
