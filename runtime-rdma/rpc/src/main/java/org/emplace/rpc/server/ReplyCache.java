// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.server;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.security.Principal;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.emplace.reactor.FifoQueue;
import org.emplace.reactor.Peer;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.ServerCall;
import org.emplace.rpc.auth.AuthSys;
import org.emplace.rpc.auth.gss.GssCaller;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.jspecify.annotations.Nullable;

/**
 * A server's duplicate request cache (RFC 1813 section 4.5): its latest replies to calls that are not idempotent. The
 * server answers duplicates of these calls from the cache, whatever connection and transport they use.
 *
 * <p>A duplicate of a call that is still running waits for the reply if it arrived over another connection, because the
 * requester may have lost the first one. If several wait, only the latest is answered and the others are dropped. A
 * duplicate over the same connection is dropped.
 *
 * <p>The cache is bounded by the number of replies and by their bytes. To make room, it drops the oldest reply of the
 * procedure that has the most, so that many WRITEs do not displace the reply to a REMOVE. If the peer that needs the room
 * has at least half of that procedure's replies, and more than one, the oldest of its own is dropped instead. The cache does not keep a reply
 * longer than a 256th of the bytes: a later duplicate is then a new call. Safe for use by several threads.
 */
final class ReplyCache {
    private static final Logger LOG = System.getLogger(ReplyCache.class.getName());
    private static final int REPLIES_AT_LEAST = 256;

    private final int mostReplies;
    private final long mostBytes;
    private final Map<Key, Running> running = new HashMap<>();
    /** The replies of each procedure. Each has one object, see {@link Procedure}. */
    private final IdentityHashMap<Procedure<?, ?>, Kept> procedures = new IdentityHashMap<>();

    private int size;
    private long bytes;

    /**
     * Creates an empty cache.
     *
     * @param mostReplies the most replies to keep; not negative
     * @param mostBytes the most bytes of replies to keep; not negative
     */
    ReplyCache(int mostReplies, long mostBytes) {
        if (mostReplies < 0 || mostBytes < 0) {
            throw new IllegalArgumentException("the limits of the reply cache must not be negative: " + mostReplies
                    + " replies, " + mostBytes + " bytes");
        }
        this.mostReplies = mostReplies;
        this.mostBytes = mostBytes;
    }

    /**
     * Identifies a call and its duplicates. The peer's port is not part of it, because it changes with the connection,
     * but a service may admit privileged ports only.
     * Neither is the credential, because that of some flavors changes with each transmission.
     *
     * @param peer the peer's IP address
     * @param privileged whether the peer's port is below 1024, which shows that the peer's system lets the caller use it
     * @param callers the class of the caller, because two flavors may give different callers the same name
     * @param caller the name of the caller, with its groups, so that no caller gets the reply to a call with other rights
     * @param length the length of the arguments in bytes, without Read chunks
     * @param checksum the checksum of the arguments, without Read chunks
     */
    record Key(
            InetAddress peer,
            boolean privileged,
            Class<? extends Principal> callers,
            String caller,
            int xid,
            long program,
            long version,
            long procedure,
            int length,
            int checksum)
            implements Comparable<Key> {
        private static final int UNPRIVILEGED = 1024;

        /** The order lets a hash map find keys quickly even if peers choose them so that their hashes collide. */
        private static final Comparator<Key> ORDER = Comparator.comparingInt(Key::xid)
                .thenComparingInt(Key::checksum)
                .thenComparingInt(Key::length)
                .thenComparing(Key::caller)
                .thenComparing(key -> key.peer.getAddress(), Arrays::compare);

        /**
         * Returns the key of a call.
         *
         * @param arguments a decoder at the arguments, which this method does not read
         */
        static Key of(ServerCall call, Procedure<?, ?> procedure, XdrDecoder arguments) {
            return new Key(
                    call.connection().remoteAddress().getAddress(),
                    call.connection().remoteAddress().getPort() < UNPRIVILEGED,
                    call.caller().getClass(),
                    name(call.caller()),
                    call.xid(),
                    procedure.program().number(),
                    procedure.program().version(),
                    procedure.number(),
                    arguments.remaining(),
                    arguments.checksumOfRest());
        }

        /** The caller, with all that its rights depend on. */
        private static String name(Principal caller) {
            if (caller instanceof AuthSys user) {
                return List.of(user.uid(), user.gid(), user.gids()).toString();
            }
            // A reply that was encrypted is not repeated in the clear.
            return caller instanceof GssCaller user ? user.toString() : caller.getName();
        }

        /** Unlike a record's own, links no code when it is first called, because a key is removed also after an Error. */
        @Override
        public int hashCode() {
            return 31 * (31 * xid + checksum) + caller.hashCode();
        }

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    /** A call whose handler is running, and its latest duplicate from another connection. */
    private static final class Running {
        private final RpcConnection connection;
        private @Nullable ServerExchange duplicate;

        Running(RpcConnection connection) {
            this.connection = connection;
        }
    }

    /** The replies of one procedure. */
    private static final class Kept {
        /** In the order in which they were added. */
        private final Map<Key, EncodedMessage> replies = new LinkedHashMap<>();
        /** The keys of each peer's replies, in the same order. */
        private final Map<Peer, FifoQueue<Key>> keys = new HashMap<>();

        private long bytes;

        void add(Key key, Peer peer, EncodedMessage reply) {
            FifoQueue<Key> own = keys.computeIfAbsent(peer, first -> new FifoQueue<>());
            boolean isAdded = false;
            try {
                own.add(key);
                replies.put(key, reply);
                isAdded = true;
            } finally {
                if (!isAdded) {
                    own.remove(key);
                    if (own.isEmpty()) {
                        keys.remove(peer);
                    }
                }
            }
            bytes += reply.unreducedLength();
        }

        /** Drops the oldest reply of a peer that has at least half of them and several, or else the oldest one. Returns its length. */
        long drop(Peer peer) {
            FifoQueue<Key> own = keys.get(peer);
            boolean hasMost = own != null && own.size() > 1 && 2L * own.size() >= replies.size();
            Peer owner =
                    hasMost ? peer : Peer.of(replies.keySet().iterator().next().peer());
            FifoQueue<Key> line = Objects.requireNonNull(keys.get(owner));
            Key oldest = line.remove();
            if (line.isEmpty()) {
                keys.remove(owner);
            }
            long length = Objects.requireNonNull(replies.remove(oldest)).unreducedLength();
            bytes -= length;
            return length;
        }
    }

    /**
     * Checks whether a call is new. If it is a duplicate, the cache answers or drops it.
     *
     * @return whether the call is new; then the caller must run it, and call {@link #completed}
     */
    boolean isNew(Key key, ServerExchange call) {
        EncodedMessage reply;
        ServerExchange dropped = null;
        synchronized (this) {
            Kept kept = procedures.get(call.procedure());
            reply = kept == null ? null : kept.replies.get(key);
            if (reply == null) {
                Running original = running.get(key);
                if (original == null) {
                    running.put(key, new Running(call.connection()));
                    return true;
                }
                if (original.connection == call.connection()) {
                    dropped = call;
                } else {
                    dropped = original.duplicate;
                    original.duplicate = call;
                }
            }
        }
        LOG.log(Level.DEBUG, "{0} is a duplicate", call);
        if (reply != null) {
            call.answerAgain(reply);
        }
        if (dropped != null) {
            dropped.drop();
        }
        return false;
    }

    /**
     * Called when a call has been run: answers the duplicate that waits for its reply. Call this before answering the
     * call itself, because its payloads are valid only until then.
     *
     * @param call the call
     * @param reply with the reply encoded
     * @param start where the part that duplicates get begins: after the verifier, because each gets its own
     * @param isKept whether to keep the reply for later duplicates; if not, they are new calls
     */
    void completed(Key key, ServerExchange call, XdrEncoder reply, int start, boolean isKept) {
        EncodedMessage kept =
                isKept && reply.unreducedLength(start) <= mostBytes / REPLIES_AT_LEAST ? copy(reply, start) : null;
        ServerExchange duplicate = null;
        try {
            synchronized (this) {
                Running original = running.remove(key);
                duplicate = original == null ? null : original.duplicate;
                if (kept != null) {
                    keep(key, call, kept);
                }
            }
        } catch (RuntimeException | Error broken) {
            if (duplicate != null) {
                duplicate.abandon(broken);
            }
            throw broken;
        }
        if (duplicate == null) {
            return;
        }
        EncodedMessage same = kept == null ? copy(reply, start) : kept;
        if (same == null) {
            duplicate.drop();
        } else {
            duplicate.answerAgain(same);
        }
    }

    /** Called instead of {@link #completed} if a call ends without a reply: later duplicates are new calls, and the one that waits ends, too. */
    void abandoned(Key key) {
        Running original;
        synchronized (this) {
            original = running.remove(key);
        }
        if (original != null && original.duplicate != null) {
            original.duplicate.abandon(new OutOfMemoryError("the first transmission of this call found no memory"));
        }
    }

    /** The number of replies. */
    synchronized int size() {
        return size;
    }

    /** The total length of the replies in bytes. */
    synchronized long bytes() {
        return bytes;
    }

    private void keep(Key key, ServerExchange call, EncodedMessage reply) {
        procedures.computeIfAbsent(call.procedure(), first -> new Kept()).add(key, call.peer(), reply);
        size++;
        bytes += reply.unreducedLength();
        while (size > mostReplies || bytes > mostBytes) {
            bytes -= largest(size > mostReplies).drop(call.peer());
            size--;
        }
    }

    /** The procedure that has the most replies, or whose replies have the most bytes. */
    private Kept largest(boolean byNumber) {
        Kept largest = null;
        for (Kept each : procedures.values()) {
            if (largest == null
                    || (byNumber ? each.replies.size() > largest.replies.size() : each.bytes > largest.bytes)) {
                largest = each;
            }
        }
        return Objects.requireNonNull(largest);
    }

    /**
     * Returns null if a payload of the reply cannot be read. Answering the call itself then fails, too, and is logged.
     */
    private static @Nullable EncodedMessage copy(XdrEncoder reply, int start) {
        try {
            return reply.copy(start);
        } catch (IOException | RuntimeException | Error unavailable) {
            return null;
        }
    }
}
