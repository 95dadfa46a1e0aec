// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.QueuePair.Handler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RdmaListener;
import org.emplace.rdma.RdmaListener.ConnectionAcceptor;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RdmaProvider.Statistics;
import org.emplace.rdma.provider.RdmaCounters;
import org.emplace.rdma.verbs.connection.ConnectionEvents;
import org.emplace.rdma.verbs.device.OpenDevices;
import org.emplace.rdma.verbs.event.CompletionHandler;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.memory.VerbsRegion;
import org.emplace.rdma.verbs.setup.ConnectionInitiator;
import org.emplace.rdma.verbs.setup.Listener;
import org.emplace.rdma.verbs.setup.SetUp;
import org.emplace.reactor.EventLoop;

/** The RDMA devices of this machine, all served by one event-loop thread. */
final class VerbsProvider implements RdmaProvider {
    static final String NAME = "verbs";

    /** The error number that librdmacm returns if libibverbs lists no device. */
    private static final int ENODEV = 19;

    private static final Duration TIME_LIMIT = Duration.ofSeconds(10);

    private final RdmaCounters counters = new RdmaCounters(NAME);
    private final AtomicBoolean closed = new AtomicBoolean();
    private final EventLoop loop;
    private final ConnectionEvents events;
    private final OpenDevices devices;
    private final SetUp setUp;

    private VerbsProvider(VerbsOptions options) throws NativeException {
        CompletionHandler io = new CompletionHandler("emplace-verbs", options.spin());
        loop = io.loop();
        events = events(io);
        devices = new OpenDevices(io, counters);
        setUp = new SetUp(devices, options.registration(), options.sends(), options.inline(), options.answerTimeout());
    }

    private static ConnectionEvents events(CompletionHandler io) throws NativeException {
        try {
            return new ConnectionEvents(io);
        } catch (NativeException e) {
            io.close();
            throw e;
        }
    }

    /** Opens a provider. Its thread starts when it is needed. @throws RdmaException if this process has no permission to use RDMA */
    static VerbsProvider open(VerbsOptions options) throws RdmaException {
        try {
            return new VerbsProvider(options);
        } catch (NativeException e) {
            String why = e.errno() == ENODEV
                    ? "libibverbs has no driver for any device here (Debian: ibverbs-providers)"
                    : e.getMessage();
            throw new RdmaException(Reason.NO_RESOURCES, "verbs: " + why, e);
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Statistics statistics() {
        return counters.statistics();
    }

    /** As {@link RdmaProvider#register}. The memory is pinned at its first use by a device, or now if a device's connections share a domain. */
    @Override
    public MemoryRegion register(ByteBuffer direct) throws RdmaException {
        if (!direct.isDirect()) {
            throw new IllegalArgumentException("only direct buffers can be registered");
        }
        VerbsRegion region = new VerbsRegion(direct);
        try {
            devices.registerEarly(region);
        } catch (RdmaException e) {
            region.close();
            throw e;
        }
        return region;
    }

    @Override
    public CompletionStage<QueuePair> connect(
            InetSocketAddress remote, ConnectionParameters parameters, Handler handler) {
        SetUp.check(parameters, null);
        CompletableFuture<QueuePair> outcome = new CompletableFuture<>();
        ConnectionInitiator initiator = new ConnectionInitiator(setUp, events, remote, parameters, handler, outcome);
        loop.execute(() -> {
            if (closed.get()) {
                outcome.completeExceptionally(closedAlready());
            } else {
                initiator.start();
            }
        });
        return outcome.minimalCompletionStage();
    }

    @Override
    public RdmaListener listen(InetSocketAddress local, int sharedReceives, ConnectionAcceptor acceptor)
            throws RdmaException {
        CompletableFuture<RdmaListener> outcome = new CompletableFuture<>();
        Runnable opening = () -> {
            if (closed.get()) {
                outcome.completeExceptionally(closedAlready());
            } else {
                Listener.open(setUp, events, local, sharedReceives, acceptor, outcome);
            }
        };
        if (loop.isCurrent()) {
            opening.run();
        } else {
            loop.execute(opening);
        }
        return await(outcome, local);
    }

    private static RdmaListener await(CompletableFuture<RdmaListener> outcome, InetSocketAddress local)
            throws RdmaException {
        try {
            return outcome.get(TIME_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RdmaException known) {
                throw known;
            }
            throw new RdmaException(Reason.NO_RESOURCES, "verbs: cannot listen on " + local, e.getCause());
        } catch (TimeoutException e) {
            CompletionStage<Void> unused = outcome.thenAccept(RdmaListener::close);
            throw new RdmaException(
                    Reason.TIMED_OUT, "verbs: cannot listen on " + local + ": the event loop is stuck", e);
        } catch (InterruptedException e) {
            CompletionStage<Void> unused = outcome.thenAccept(RdmaListener::close);
            Thread.currentThread().interrupt();
            throw new RdmaException(Reason.TIMED_OUT, "verbs: interrupted while listening on " + local, e);
        }
    }

    private static RdmaException closedAlready() {
        return new RdmaException(Reason.DISCONNECTED, "verbs: the provider is closed");
    }

    /** As {@link RdmaProvider#close}. Waits a bounded time for the thread to end, unless called on that thread. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        loop.execute(this::shutDown);
        if (loop.isCurrent()) {
            return;
        }
        try {
            loop.await(TIME_LIMIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void shutDown() {
        events.shutDown();
        devices.closeAll();
        events.close();
        loop.shutDown(Duration.ZERO);
        counters.closed();
    }
}
