// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.security.Principal;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.ServerCall;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.XdrDecoder;
import org.jspecify.annotations.Nullable;

/**
 * The latest replies of a server to calls that are not idempotent, with which it answers duplicates of these calls, whichever connection and transport they come
 * by (RFC 1813 section 4.5). A duplicate of a call that is still running waits for its reply if it came by another connection: the requester may
 * have lost the first. Of several that wait, the latest is answered. The others are dropped, and so is one that came by the connection of the call itself.
 *
 * <p>Bounded by the number of replies and by their bytes; the oldest are dropped first. A reply of more than a 256th of the bytes is not
 * kept: a duplicate that comes after it is a new call. Safe for use by several threads.
 */
final class ReplyCache {
    private static final Logger LOG = System.getLogger(ReplyCache.class.getName());
    private static final int REPLIES_AT_LEAST = 256;

    private final int mostReplies;
    private final long mostBytes;
    private final Map<Key, Running> running = new HashMap<>();
    /** In the order in which they were given. */
    private final Map<Key, EncodedMessage> replies = new LinkedHashMap<>();

    private long bytes;

    /**
     * A cache without replies.
     *
     * @param mostReplies how many it keeps; not negative
     * @param mostBytes of the messages that it keeps; not negative
     */
    ReplyCache(int mostReplies, long mostBytes) {
        if (mostReplies < 0 || mostBytes < 0) {
            throw new IllegalArgumentException(
                    "a reply cache of " + mostReplies + " replies and " + mostBytes + " bytes");
        }
        this.mostReplies = mostReplies;
        this.mostBytes = mostBytes;
    }

    /**
     * What a call and its duplicates have in common. The peer's port is not part of it, because it changes with the connection. Nor are the credentials,
     * because those of some flavors change with each transmission.
     *
     * @param callers the class of the caller, because two flavors may give different callers the same name
     * @param caller the caller's name: no caller gets the reply to another's call
     * @param length of the arguments in the message's stream; what is in Read chunks does not count
     * @param checksum of the arguments in the message's stream
     */
    record Key(
            InetAddress peer,
            Class<? extends Principal> callers,
            String caller,
            int xid,
            long program,
            long version,
            long procedure,
            int length,
            int checksum)
            implements Comparable<Key> {
        /** With an order, a map finds keys quickly even if peers choose them so that their hashes are the same. */
        private static final Comparator<Key> ORDER = Comparator.comparingInt(Key::xid)
                .thenComparingInt(Key::checksum)
                .thenComparing(Key::caller)
                .thenComparing(key -> key.peer.getAddress(), Arrays::compare);

        /**
         * The key of a call.
         *
         * @param arguments at the arguments; nothing is read
         */
        static Key of(ServerCall call, Procedure<?, ?> procedure, XdrDecoder arguments) {
            return new Key(
                    call.connection().remoteAddress().getAddress(),
                    call.caller().getClass(),
                    call.caller().getName(),
                    call.xid(),
                    procedure.program().number(),
                    procedure.program().version(),
                    procedure.number(),
                    arguments.remaining(),
                    arguments.checksumOfRest());
        }

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    /** A call whose handler has not answered, and its latest duplicate from another connection. */
    private static final class Running {
        private final RpcConnection connection;
        private @Nullable ServerExchange duplicate;

        Running(RpcConnection connection) {
            this.connection = connection;
        }
    }

    /**
     * Takes over a call if it is a duplicate.
     *
     * @param runs whether it is run now if it is new: then {@link #ended} follows
     * @return whether it is a new call, which the cache does not answer
     */
    boolean isNew(Key key, ServerExchange call, boolean runs) {
        EncodedMessage reply;
        ServerExchange dropped = null;
        synchronized (this) {
            reply = replies.get(key);
            if (reply == null) {
                Running original = running.get(key);
                if (original == null) {
                    if (runs) {
                        running.put(key, new Running(call.connection()));
                    }
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
        LOG.log(Level.DEBUG, "{0} has come before", call);
        if (reply != null) {
            call.answerAgain(reply);
        }
        if (dropped != null) {
            dropped.drop();
        }
        return false;
    }

    /**
     * A call has been run: answers the duplicate that waits for its reply. To be called before the call itself is answered, as its payloads end with it.
     *
     * @param isKept whether later duplicates get the same reply; otherwise they are new calls
     */
    void ended(Key key, EncodedMessage reply, boolean isKept) {
        long length = reply.unreducedLength();
        EncodedMessage kept = isKept && length <= mostBytes / REPLIES_AT_LEAST ? copy(reply) : null;
        ServerExchange duplicate;
        synchronized (this) {
            Running original = running.remove(key);
            duplicate = original == null ? null : original.duplicate;
            if (kept != null) {
                replies.put(key, kept);
                bytes += kept.unreducedLength();
                makeRoom();
            }
        }
        if (duplicate == null) {
            return;
        }
        EncodedMessage same = kept == null ? copy(reply) : kept;
        if (same == null) {
            duplicate.drop();
        } else {
            duplicate.answerAgain(same);
        }
    }

    /** How many replies there are. */
    synchronized int size() {
        return replies.size();
    }

    /** The bytes of the replies. */
    synchronized long bytes() {
        return bytes;
    }

    private void makeRoom() {
        Iterator<EncodedMessage> oldest = replies.values().iterator();
        while (replies.size() > mostReplies || bytes > mostBytes) {
            bytes -= oldest.next().unreducedLength();
            oldest.remove();
        }
    }

    /** Null if the bytes of a payload of the reply cannot be read. The call's own answer then fails too, with a message. */
    private static @Nullable EncodedMessage copy(EncodedMessage reply) {
        try {
            return reply.copy();
        } catch (IOException | RuntimeException | Error unavailable) {
            return null;
        }
    }
}
