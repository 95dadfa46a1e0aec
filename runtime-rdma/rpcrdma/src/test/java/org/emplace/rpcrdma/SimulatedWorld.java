// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.emplace.rdma.RdmaException;
import org.emplace.reactor.Peer;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.CallOptions.Recovery;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destination;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.ServerObserver;
import org.emplace.rpc.limits.ConnectionLimit;
import org.emplace.rpc.recovery.RecoveringConnection;
import org.emplace.rpc.server.ServiceDispatcher;
import org.emplace.rpc.transport.RpcTransport.Listener;
import org.emplace.rpc.transport.RuntimeResources;
import org.emplace.rpc.transport.RuntimeResources.Settings;
import org.emplace.rpcrdma.Blobs.Items;
import org.emplace.rpcrdma.InstalledDevices.Device;
import org.emplace.rpcrdma.memory.RdmaMemory;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.emplace.rpcrdma.simulation.Schedule;
import org.emplace.rpcrdma.simulation.SimulatedProvider;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrOpaque;

/**
 * A client that makes calls to a server while their connections break, go silent or cannot be made. One seed decides everything. Each call is to
 * take effect once at most, and to end.
 */
final class SimulatedWorld {
    private static final URI ADDRESS = URI.create("rdma://127.0.0.1:20049");
    private static final int ENOUGH_MEMORY = 4 << 20;
    private static final int LITTLE_MEMORY = 1 << 20;
    private static final int LARGEST = 6_000;
    private static final List<Recovery> RECOVERIES = List.of(Recovery.values());
    private static final byte POISON = 0x5a;

    /** There are faults until this time, and none after it. */
    private static final Duration TROUBLE = Duration.ofSeconds(20);

    /** Longer than any timeout, keep-alive or delay that is left then. */
    private static final Duration CALM = Duration.ofMinutes(5);

    /** The time within which an abandoned call ends: its memory must be fenced first. */
    private static final Duration PROMPTLY = Duration.ofSeconds(1);

    private final Schedule schedule;
    private final SimulatedProvider provider;
    private final int memory;
    private final Device clients;
    private final Device servers;
    private final ConnectionOptions clientOptions;
    private final ConnectionOptions serverOptions;
    private final SimulatedService service;
    private final ServiceDispatcher dispatcher;
    private final Listener listener;
    private final RecoveringConnection client;
    private final List<ByteBuffer> poisoned = new ArrayList<>();
    private int unended;
    private boolean someGivenUp;

    SimulatedWorld(long seed) throws RpcException {
        schedule = new Schedule(seed);
        provider = new SimulatedProvider(schedule, schedule.chance(50), schedule.chance(70));
        memory = schedule.chance(20) ? LITTLE_MEMORY : ENOUGH_MEMORY;
        clients = device();
        servers = device();
        clientOptions = options();
        serverOptions = options();
        dispatcher = ServiceDispatcher.forManyPeers(
                schedule.executor(),
                1 + schedule.random().nextInt(8),
                2,
                16_384,
                16 << 20,
                ServerObserver.NONE,
                schedule);
        service = new SimulatedService(schedule);
        dispatcher.add(service.service());
        listener =
                transport(servers).listen(ADDRESS, dispatcher, serverOptions, new ConnectionLimit(64, Duration.ZERO));
        client = new RecoveringConnection(
                ADDRESS, former -> former, transport(clients), clientOptions, resources(), schedule.random());
    }

    private Device device() {
        return new Device(provider, new RdmaMemory(provider, new RegisteredPool(provider, memory)));
    }

    private RdmaTransport transport(Device device) {
        return OneDevice.transport(device, resources());
    }

    private RuntimeResources resources() {
        return RuntimeResources.of(schedule.threads()::execute, schedule.threads(), schedule, Settings.DEFAULT);
    }

    private ConnectionOptions options() {
        return ConnectionOptions.DEFAULT
                .withConnectTimeout(Duration.ofSeconds(2))
                .withTransferTimeout(Duration.ofSeconds(2))
                .withKeepAlive(Duration.ofSeconds(3))
                .withCredits(1 + schedule.random().nextInt(8))
                .withInlineThreshold(1024 << schedule.random().nextInt(3));
    }

    /** Makes the calls, injects faults, and checks what is left. */
    Schedule run() throws RdmaException, InterruptedException {
        int calls = 1 + schedule.random().nextInt(30);
        for (int number = 1; number <= calls; number++) {
            int call = number;
            unended++;
            schedule.after(someTime(Duration.ofSeconds(5)), () -> makeCall(call));
        }
        for (int faults = schedule.random().nextInt(8); faults > 0; faults--) {
            schedule.after(someTime(TROUBLE), this::breakSomething);
        }
        schedule.after(TROUBLE, () -> provider.setReachable(true));
        schedule.run(TROUBLE.plus(CALM));
        if (schedule.violations().isEmpty()) {
            holds(unended == 0, unended + " calls have not ended");
            holds(!schedule.isBusyFor(Duration.ofDays(365)), "all calls have ended, but a timer is left");
            poisoned.forEach(memory -> holds(isPoisoned(memory), "memory was written after its call had ended"));
            holds(
                    someGivenUp || provider.accessesRefused() == 0,
                    "nobody gave a call up, but memory was gone that a peer wanted");
        }
        if (schedule.violations().isEmpty()) {
            useAllCredits();
        }
        if (schedule.violations().isEmpty()) {
            leave();
        }
        return schedule;
    }

    private void holds(boolean condition, String otherwise) {
        if (!condition) {
            schedule.violated(otherwise);
        }
    }

    private Duration someTime(Duration most) {
        return Duration.ofNanos(schedule.random().nextLong(most.toNanos()));
    }

    private void breakSomething() {
        switch (schedule.random().nextInt(5)) {
            case 0 -> {
                provider.setReachable(false);
                provider.breakConnection();
                schedule.after(someTime(Duration.ofSeconds(2)), () -> provider.setReachable(true));
            }
            case 1 -> provider.silenceConnection();
            default -> provider.breakConnection();
        }
    }

    private void makeCall(int number) {
        CallOptions options = CallOptions.DEFAULT
                .withRecovery(RECOVERIES.get(schedule.random().nextInt(RECOVERIES.size())))
                .withTimeout(Duration.ofMillis(10L << schedule.random().nextInt(12)));
        switch (schedule.random().nextInt(3)) {
            case 0 -> put(number, options);
            case 1 -> swap(number, options);
            default -> echo(number, options);
        }
    }

    private int size() {
        int size = schedule.random().nextInt(LARGEST);
        return schedule.chance(50) ? size % 600 : size;
    }

    private void put(int number, CallOptions options) {
        ByteBuffer bytes = Blobs.pattern(size());
        Items arguments = new Items(List.of(payload(bytes)), number);
        long length = bytes.capacity();
        RpcCall<Long> call = client.call(SimulatedService.PUT, arguments, Destinations.none(), options);
        follow(number, call, options, List.of(bytes), result -> result == length);
    }

    private void swap(int number, CallOptions options) {
        ByteBuffer bytes = Blobs.pattern(size());
        ByteBuffer destination = ByteBuffer.allocateDirect(bytes.capacity());
        Items arguments = new Items(List.of(payload(bytes)), number);
        RpcCall<Items> call = client.call(SimulatedService.SWAP, arguments, Blobs.into(into(destination)), options);
        follow(number, call, options, List.of(bytes, destination), result -> destination.equals(bytes));
    }

    /** The bytes, sometimes in several pieces. */
    private Payload payload(ByteBuffer bytes) {
        return schedule.chance(30) ? Payload.of(split(bytes)) : Payload.of(bytes);
    }

    private Destination into(ByteBuffer buffer) {
        return schedule.chance(30) ? Destination.into(split(buffer)) : Destination.into(buffer);
    }

    private ByteBuffer[] split(ByteBuffer bytes) {
        int at = schedule.random().nextInt(bytes.capacity() + 1);
        return new ByteBuffer[] {bytes.slice(0, at), bytes.slice(at, bytes.capacity() - at)};
    }

    private void echo(int number, CallOptions options) {
        byte[] bytes = new byte[Integer.BYTES + size()];
        ByteBuffer.wrap(bytes).putInt(number);
        XdrOpaque arguments = XdrOpaque.of(bytes);
        RpcCall<XdrOpaque> call = client.call(
                SimulatedService.ECHO, arguments, Destinations.none(), options.withUnboundedReplySize(2 * LARGEST));
        follow(number, call, options, List.of(), result -> result.equals(arguments));
    }

    /** Whether the results are those that the call asks for. */
    @FunctionalInterface
    private interface Check<R> {
        boolean isRight(R results);
    }

    private <R> void follow(int number, RpcCall<R> call, CallOptions options, List<ByteBuffer> memory, Check<R> check) {
        String name = "call %d %s (%s, %s)".formatted(number, call, options.recovery(), options.timeout());
        schedule.note(name + " is made");
        long began = schedule.nanoTime();
        boolean[] ended = new boolean[1];
        boolean cancelled = schedule.chance(15);
        if (cancelled) {
            someGivenUp = true;
            schedule.soon(() -> {
                call.cancel();
                schedule.after(PROMPTLY, () -> holds(ended[0], name + " goes on, though it was cancelled"));
            });
        }
        call.completion().whenComplete((result, failure) -> {
            holds(!ended[0], name + " has ended twice");
            ended[0] = true;
            unended--;
            schedule.note(name + (failure == null ? " has its reply" : " fails: " + failure.getMessage()));
            if (failure == null) {
                holds(check.isRight(result), name + " has wrong results");
                holds(service.effectsOf(number) == 1, name + " has a reply, but no effect");
            } else {
                failed(name, failure, options, cancelled, Duration.ofNanos(schedule.nanoTime() - began));
            }
            memory.forEach(this::poison);
        });
    }

    private void failed(String name, Throwable failure, CallOptions options, boolean cancelled, Duration took) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        boolean expected = cause instanceof RpcException known
                && switch (known.kind()) {
                    case CANCELLED -> cancelled;
                    case TIMED_OUT -> options.recovery() != Recovery.HARD;
                    case DISCONNECTED -> options.recovery() == Recovery.NEVER || cannotBeResent(known);
                    case NO_RESOURCES, SYSTEM_ERROR -> memory == LITTLE_MEMORY;
                    default -> false;
                };
        holds(expected, name + " fails as it may not: " + failure);
        someGivenUp |= cause instanceof RpcException known && known.kind() == RpcException.Kind.TIMED_OUT;
        if (options.recovery() != Recovery.HARD) {
            Duration limit = options.timeout().plus(PROMPTLY);
            holds(took.compareTo(limit) < 0, name + " ends after " + took);
        }
    }

    private boolean cannotBeResent(RpcException failure) {
        return memory == LITTLE_MEMORY
                && failure.getCause() instanceof RpcException latest
                && latest.kind() == RpcException.Kind.NO_RESOURCES;
    }

    private void poison(ByteBuffer memory) {
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, POISON);
        }
        poisoned.add(memory);
    }

    private static boolean isPoisoned(ByteBuffer memory) {
        for (int i = 0; i < memory.capacity(); i++) {
            if (memory.get(i) != POISON) {
                return false;
            }
        }
        return true;
    }

    /** After everything, as many calls can be in flight as both ends allow: no credit is lost or gained. */
    private void useAllCredits() {
        int most = Math.min(clientOptions.credits(), serverOptions.credits());
        int inFlight = 0;
        for (int round = 0; round < 6; round++) {
            List<RpcCall<?>> calls = new ArrayList<>();
            for (int i = 0; i < clientOptions.credits() + 2; i++) {
                calls.add(client.call(SimulatedService.HOLD, nothing(), Destinations.none(), CallOptions.DEFAULT));
            }
            schedule.run(Duration.ofSeconds(1));
            inFlight = service.held();
            while (service.held() > 0) {
                service.answerHeld();
                schedule.run(Duration.ofSeconds(1));
            }
            calls.forEach(
                    call -> holds(call.completion().toCompletableFuture().isDone(), "a credit is not given back"));
        }
        holds(inFlight == most, inFlight + " calls in flight where there are " + most + " credits");
    }

    @SuppressWarnings("NullAway") // Void has no other value
    private static Void nothing() {
        return null;
    }

    /** All memory has been returned when both ends are closed. */
    private void leave() throws RdmaException, InterruptedException {
        client.close();
        schedule.run(CALM);
        holds(dispatcher.drain(Duration.ZERO), "calls are unanswered");
        provider.close();
        schedule.run(CALM);
        listener.close();
        dispatcher.close();
        schedule.run(CALM);
        var counters = provider.statistics();
        holds(counters.connections() == 0, counters.connections() + " connections are left");
        holds(counters.accessesOpen() == 0, counters.accessesOpen() + " accesses are open");
        isAllBack("client", clients);
        isAllBack("server", servers);
    }

    private void isAllBack(String side, Device device) {
        try {
            device.memory().pool().acquire(memory).release();
        } catch (RdmaException lent) {
            schedule.violated("the " + side + "'s pool lacks memory: " + lent.getMessage());
        }
        try {
            long all = device.memory().pool().limit() / 4 * 3;
            device.memory()
                    .shares()
                    .connection(Peer.of(InetAddress.getLoopbackAddress()))
                    .charge(all);
        } catch (IOException held) {
            schedule.violated("the " + side + "'s calls hold memory: " + held.getMessage());
        }
    }
}
