// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.reactor.LogSampler;
import org.emplace.reactor.Peer;
import org.emplace.reactor.Timekeeper;
import org.emplace.reactor.Workers;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpcrdma.header.ConnectionPrivateData.InlineThresholds;
import org.emplace.rpcrdma.link.ConnectionReceives.Own;
import org.emplace.rpcrdma.memory.OutgoingMessages;
import org.emplace.rpcrdma.memory.RdmaMemory;
import org.emplace.rpcrdma.memory.RegisteredPool;

/**
 * A connection that exists only for the test: messages of up to 1024 bytes, one second for a transfer, callbacks at
 * once or when the test runs them. Its queue pair notes what it is asked to do.
 */
public final class TestLink {
    /**
     * The names of the queue pair's methods that were called and return nothing; {@code posts} if several work requests
     * were posted.
     */
    public final List<String> calls = new ArrayList<>();

    /** The work requests that were posted in lists. */
    public final List<WorkRequest> posted = new ArrayList<>();

    /** The accesses to memory that were granted. */
    public final List<Access> accesses = new ArrayList<>();

    /** Run before each access is granted. */
    public Exposing exposing = () -> {};

    /** The callbacks that have not been run, if the link defers them. */
    public final List<Runnable> deferred = new ArrayList<>();

    /** Whether callbacks are run only by {@link #runDeferred}. */
    public boolean defers;

    public final QueuePair queuePair = (QueuePair) Proxy.newProxyInstance(
            QueuePair.class.getClassLoader(), new Class<?>[] {QueuePair.class}, (proxy, method, arguments) -> {
                if (arguments != null && arguments[0] instanceof List<?> requests) {
                    calls.add("posts");
                    requests.forEach(request -> posted.add((WorkRequest) request));
                } else if (method.getName().equals("expose")) {
                    exposing.run();
                    accesses.add(new Access());
                    return accesses.get(accesses.size() - 1);
                } else if (method.getReturnType() == void.class) {
                    calls.add(method.getName());
                }
                return null;
            });

    public final Link link;

    private final Own receives;

    /** @param device registers the memory, in pools of 1 MiB */
    public TestLink(RdmaProvider device, Timekeeper time) throws RdmaException {
        receives = new Own(new RegisteredPool(device, 1 << 20), 1024, 1, 1);
        link = over(queuePair, time, device, receives, this::callBack);
    }

    /**
     * Makes a link over another queue pair.
     *
     * @param device registers its memory, in a pool of 1 MiB
     */
    public static Link over(QueuePair queuePair, Timekeeper time, RdmaProvider device, ConnectionReceives receives) {
        return over(queuePair, time, device, receives, Runnable::run);
    }

    private static Link over(
            QueuePair queuePair, Timekeeper time, RdmaProvider device, ConnectionReceives receives, Workers callbacks) {
        RdmaMemory memory = new RdmaMemory(device, new RegisteredPool(device, 1 << 20));
        return new Link(
                "test",
                queuePair,
                new SendQueue(queuePair, time, ConnectionOptions.DEFAULT, new LogSampler()),
                receives,
                memory,
                new OutgoingMessages(memory, 1024),
                memory.shares().connection(Peer.of(InetAddress.getLoopbackAddress())),
                new InlineThresholds(1024, 1024),
                false,
                callbacks,
                time,
                Duration.ofSeconds(1),
                new LogSampler(),
                new LogSampler());
    }

    private void callBack(Runnable task) {
        if (defers) {
            deferred.add(task);
        } else {
            task.run();
        }
    }

    /** Runs the deferred callbacks. */
    public void runDeferred() {
        List<Runnable> tasks = List.copyOf(deferred);
        deferred.clear();
        tasks.forEach(Runnable::run);
    }

    public boolean isClosed() {
        return calls.contains("close");
    }

    /** Completes one of the posted work requests. */
    public void end(int index, Completion.Status status) {
        WorkRequest request = posted.get(index);
        link.sends()
                .completed(
                        status == Completion.Status.SUCCESS
                                ? Completion.success(request)
                                : Completion.failure(request, status));
    }

    /** A message of 100 bytes that the first Receive has received. */
    public ReceivedMessage received() {
        return received(receives);
    }

    /** A message of 100 bytes that the first of some Receives has received. */
    public static ReceivedMessage received(Own receives) {
        return Objects.requireNonNull(receives.completed(Completion.success(0, Completion.Operation.RECEIVE, 100)));
    }

    /** What happens while memory is exposed. */
    @FunctionalInterface
    public interface Exposing {
        void run() throws RdmaException;
    }

    /** An access that ends when the test calls {@link #end}. */
    public static final class Access implements RemoteAccess {
        private final CompletableFuture<Void> end = new CompletableFuture<>();
        private boolean revoked;

        public boolean isRevoked() {
            return revoked;
        }

        public void end() {
            end.complete(null);
        }

        @Override
        public RemoteSegment advertised() {
            return new RemoteSegment(7, 0, 10);
        }

        @Override
        public CompletionStage<Void> revoke() {
            revoked = true;
            return end.isDone() ? FENCED : end;
        }
    }
}
