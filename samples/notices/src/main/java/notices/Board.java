// SPDX-License-Identifier: Apache-2.0
package notices;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.emplace.rpc.ServerCall;

/** The server: keeps notices, and calls its subscribers back with them. */
final class Board implements Board1Server {
    private final List<Words> notices = new ArrayList<>();
    private final Map<ServerCall.Connection, Subscriber> subscribers = new HashMap<>();

    @Override
    public synchronized void post(Words text, ServerCall call) {
        notices.add(text);
        subscribers.values().forEach(this::tellNext);
    }

    @Override
    public synchronized void subscribe(long seen, ServerCall call) {
        ServerCall.Connection connection = call.connection();
        if (subscribers.containsKey(connection)) {
            return;
        }
        // Before this, the connection refuses calls to the client, which might not be ready.
        connection.enableBackwardCalls();
        Subscriber subscriber = new Subscriber(Reader1Client.on(connection), seen);
        subscribers.put(connection, subscriber);
        tellNext(subscriber);
        connection.closed().whenComplete((done, why) -> leave(connection));
    }

    /** Sends a subscriber its next notice, if there is one and the previous one is answered. */
    private synchronized void tellNext(Subscriber subscriber) {
        if (subscriber.busy || subscriber.seen >= notices.size()) {
            return;
        }
        subscriber.busy = true;
        Notice next = new Notice(subscriber.seen + 1, notices.get((int) subscriber.seen));
        subscriber
                .reader
                .tellAsync(next)
                .completion()
                .whenComplete((done, failure) -> told(subscriber, failure == null));
    }

    /** After a lost connection a reader subscribes again, with the number of the last notice it has seen. */
    private synchronized void told(Subscriber subscriber, boolean arrived) {
        subscriber.busy = false;
        if (arrived) {
            subscriber.seen++;
            tellNext(subscriber);
        }
    }

    private synchronized void leave(ServerCall.Connection connection) {
        subscribers.remove(connection);
    }

    private static final class Subscriber {
        private final Reader1Client reader;
        private long seen;
        private boolean busy;

        Subscriber(Reader1Client reader, long seen) {
            this.reader = reader;
            this.seen = seen;
        }
    }
}
