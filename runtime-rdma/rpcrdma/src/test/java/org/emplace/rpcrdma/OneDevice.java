// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.limits.ConnectionLimit;
import org.emplace.rpc.server.ServiceDispatcher;
import org.emplace.rpc.transport.RpcTransport.Listener;
import org.emplace.rpc.transport.RuntimeResources;
import org.emplace.rpc.transport.RuntimeResources.Settings;
import org.emplace.rpcrdma.InstalledDevices.Device;
import org.emplace.rpcrdma.memory.PooledBuffer;
import org.emplace.rpcrdma.memory.RdmaMemory;
import org.emplace.rpcrdma.memory.RegisteredPool;

/** A transport with only one device, which is open: software iWARP with a pool of its own. */
final class OneDevice implements AutoCloseable {
    final RdmaProvider provider;
    final RegisteredPool pool;
    final RdmaMemory memory;
    final RdmaTransport transport;

    /** @param limit the size of the pool in bytes */
    OneDevice(int limit) throws RdmaException {
        this(IwarpProvider.open(IwarpOptions.DEFAULTS), limit);
    }

    OneDevice(RdmaProvider provider, int limit) {
        this(provider, new RegisteredPool(provider, limit));
    }

    OneDevice(RdmaProvider provider, RegisteredPool pool) {
        this.provider = provider;
        this.pool = pool;
        memory = new RdmaMemory(provider, pool);
        transport = transport(new Device(provider, memory));
    }

    /** A device with a pool as large as in the shared runtime. */
    static Device device(RdmaProvider provider) {
        return Device.of(provider, Settings.DEFAULT.registeredMemory());
    }

    /** A transport that uses a device. */
    static RdmaTransport transport(Device device) {
        return transport(device, RuntimeResources.of(Settings.DEFAULT));
    }

    static RdmaTransport transport(Device device, RuntimeResources resources) {
        return new RdmaTransport(new InstalledDevices(device), choice -> {}, resources);
    }

    Listener listen(ServiceDispatcher dispatcher, ConnectionOptions options) throws RpcException {
        return listen(dispatcher, options, new ConnectionLimit(8));
    }

    Listener listen(ServiceDispatcher dispatcher, ConnectionOptions options, ConnectionLimit limit)
            throws RpcException {
        return transport.listen(URI.create("rdma://127.0.0.1:0"), dispatcher, options, limit);
    }

    static URI address(Listener listener) {
        return URI.create("rdma://127.0.0.1:" + listener.localAddress().getPort());
    }

    /** Waits until calls and connections have given back all memory, of the pool and registered for single chunks. */
    void awaitAllIsFree() {
        int limit = (int) pool.limit();
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .ignoreException(RdmaException.class)
                .untilAsserted(() -> {
                    // Makes the pool free its other registered blocks.
                    PooledBuffer all = pool.acquire(limit);
                    try {
                        assertThat(provider.statistics().bytesHeld()).isEqualTo(limit);
                    } finally {
                        all.release();
                    }
                });
    }

    @Override
    public void close() {
        provider.close();
    }

    /** A provider that runs an action once, at its next registration of memory. */
    static RdmaProvider watched(RdmaProvider provider, AtomicReference<Runnable> registering) {
        return (RdmaProvider) Proxy.newProxyInstance(
                RdmaProvider.class.getClassLoader(),
                new Class<?>[] {RdmaProvider.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("register")) {
                        registering.getAndSet(() -> {}).run();
                    }
                    try {
                        return method.invoke(provider, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }
}
