// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v4;

import java.io.IOException;
import java.util.Set;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.v4.Compound4Args;
import org.emplace.samples.nfs.protocol.v4.NfsOpnum4;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.samples.nfs.protocol.v4.Stateid4;
import org.emplace.samples.nfs.server.export.Export.CallOrigin;
import org.emplace.samples.nfs.server.state.SessionId;
import org.emplace.samples.nfs.server.state.SlotCall;
import org.emplace.samples.nfs.server.state.StateException;
import org.emplace.samples.nfs.server.state.StateId;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.xdr.XdrOpaque;
import org.jspecify.annotations.Nullable;

/** What the operations of one COMPOUND share: current and saved filehandles and stateids, and the room in the reply. Used by one thread. */
final class Compound {
    /** If one of these follows an operation that sets the current filehandle, that operation does not check the call's flavor (RFC 8881 section 2.6.3.1.1). */
    private static final Set<NfsOpnum4> CHECKED_NEXT = Set.of(
            NfsOpnum4.PUT_FH,
            NfsOpnum4.PUT_PUB_FH,
            NfsOpnum4.PUT_ROOT_FH,
            NfsOpnum4.RESTORE_FH,
            NfsOpnum4.SAVE_FH,
            NfsOpnum4.LOOKUP,
            NfsOpnum4.LOOKUPP,
            NfsOpnum4.OPEN,
            NfsOpnum4.SEC_INFO,
            NfsOpnum4.SEC_INFO_NO_NAME);

    /** The most bytes that the COPYs of one call copy, so that a thread is busy for no longer than by some of the largest WRITEs. */
    private static final int MOST_COPIED = 16 << 20;

    private final Compound4Args args;
    private final ServerCall call;
    private final CallOrigin origin;
    private final ReplyRoom room;
    private final @Nullable SlotCall slot;
    private @Nullable Addressed current;
    private @Nullable Addressed saved;
    private StateId currentState = StateId.CURRENT;
    private StateId savedState = StateId.CURRENT;
    /** How many operations have begun. */
    private int begun;

    /** How many bytes may still be copied. */
    private int copyRoom = MOST_COPIED;

    /**
     * @param slot empty for an operation outside of a session
     * @param room for the reply
     */
    Compound(Compound4Args args, ServerCall call, CallOrigin origin, @Nullable SlotCall slot, ReplyRoom room) {
        this.args = args;
        this.call = call;
        this.origin = origin;
        this.slot = slot;
        this.room = room;
    }

    /** What the reply repeats. */
    XdrOpaque tag() {
        return args.tag();
    }

    long minorVersion() {
        return args.minorversion();
    }

    ServerCall call() {
        return call;
    }

    CallOrigin origin() {
        return origin;
    }

    ReplyRoom room() {
        return room;
    }

    @Nullable
    SlotCall slot() {
        return slot;
    }

    /** The client of the session. */
    long clientId() {
        return required().clientId();
    }

    /** How many bytes a COPY may copy, at least one. Throws JUKEBOX if those before it have copied too many. */
    int copyRoom() throws StoreException {
        if (copyRoom == 0) {
            throw new StoreException(Failure.JUKEBOX, "more than " + MOST_COPIED + " bytes to copy in one call");
        }
        return copyRoom;
    }

    /** Takes what a COPY has copied from the room for the next ones. */
    void copied(int bytes) {
        copyRoom -= bytes;
    }

    /** The session. */
    SessionId session() {
        return required().session();
    }

    /** Only operations outside of sessions have none, and they do not ask. */
    private SlotCall required() {
        if (slot == null) {
            throw new IllegalStateException("an operation without a session");
        }
        return slot;
    }

    /** Goes to the next operation. */
    void next() {
        begun++;
    }

    /** Throws NOFILEHANDLE if there is none, and WRONGSEC if its export does not list the flavor of the call. */
    Addressed current() throws StatusException {
        return requireListed(currentByAnyFlavor());
    }

    /** The current filehandle, for an operation that checks another one's flavor, or tells which are listed. Throws NOFILEHANDLE if there is none. */
    Addressed currentByAnyFlavor() throws StatusException {
        if (current == null) {
            throw new StatusException(Nfsstat4.NFS4ERR_NOFILEHANDLE, "no current filehandle");
        }
        return current;
    }

    static Addressed requireListed(Addressed target) throws StatusException {
        if (!target.isByListedFlavor()) {
            throw new StatusException(
                    Nfsstat4.NFS4ERR_WRONGSEC, "a file that is not exported for this flavor of calls");
        }
        return target;
    }

    /**
     * Sets the current filehandle from one that the client has. Throws WRONGSEC if its export does not list the flavor of the call, unless the next
     * operation is to find that out (RFC 8881 section 2.6.3.1.1).
     */
    void put(Addressed target) throws StatusException {
        boolean isChecked = begun >= args.argarray().size()
                || CHECKED_NEXT.contains(args.argarray().get(begun).argop());
        current(isChecked ? target : requireListed(target));
    }

    /** The current file, which has to be a file of an export. Throws ISDIR for a directory above the exports. */
    Addressed.Stored currentFile() throws StatusException, StoreException {
        return stored(current());
    }

    private static Addressed.Stored stored(Addressed target) throws StoreException {
        if (target instanceof Addressed.Stored stored) {
            return stored;
        }
        throw new StoreException(Failure.ISDIR, "a directory above the exports");
    }

    /** Sets the current filehandle. There is no current stateid then (RFC 8881 section 16.2.3.1.2). */
    void current(Addressed target) {
        current = target;
        currentState = StateId.CURRENT;
    }

    /** Consumes the current filehandle (SECINFO). */
    void removeCurrent() {
        current = null;
        currentState = StateId.CURRENT;
    }

    /** Like {@link #current()}, for the saved filehandle. */
    Addressed saved() throws StatusException {
        if (saved == null) {
            throw new StatusException(Nfsstat4.NFS4ERR_NOFILEHANDLE, "no saved filehandle");
        }
        return requireListed(saved);
    }

    /** The saved file, which has to be a file of an export. Throws ISDIR for a directory above the exports. */
    Addressed.Stored savedFile() throws StatusException, StoreException {
        return stored(saved());
    }

    void save() throws StatusException {
        saved = currentByAnyFlavor();
        savedState = currentState;
    }

    void restore() throws StatusException {
        if (saved == null) {
            throw new StatusException(Nfsstat4.NFS4ERR_RESTOREFH, "no saved filehandle");
        }
        put(saved);
        currentState = savedState;
    }

    /** Makes a stateid the current one, and encodes it. */
    Stateid4 result(StateId stateId) {
        currentState = stateId;
        return encoded(stateId);
    }

    /** Encodes a stateid. */
    static Stateid4 encoded(StateId stateId) {
        return new Stateid4(Integer.toUnsignedLong(stateId.seqid()), XdrOpaque.of(stateId.other()));
    }

    /** The stateid of a request; for the special one that stands for the current stateid, that. Throws BAD_STATEID if there is none. */
    StateId stateId(Stateid4 given) throws StatusException {
        return stateId(given, currentState);
    }

    /** Like {@link #stateId(Stateid4)}, for the saved filehandle. */
    StateId savedStateId(Stateid4 given) throws StatusException {
        return stateId(given, savedState);
    }

    private static StateId stateId(Stateid4 given, StateId currentState) throws StatusException {
        StateId stateId = StateId.of((int) given.seqid(), given.other().bytes());
        if (!stateId.equals(StateId.CURRENT)) {
            return stateId;
        }
        if (currentState.equals(StateId.CURRENT)) {
            throw new StatusException(Nfsstat4.NFS4ERR_BAD_STATEID, "no current stateid");
        }
        return currentState;
    }

    /** What an operation does. */
    @FunctionalInterface
    interface Body<R> {
        R run() throws IOException, StatusException, StateException;
    }
}
