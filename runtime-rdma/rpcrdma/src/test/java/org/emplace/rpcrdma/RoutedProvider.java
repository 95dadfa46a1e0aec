// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
import org.emplace.rdma.RdmaProviderFactory;
import org.emplace.rdma.RdmaProviderFactory.DeviceDescription;

/** Software iWARP with another name and, like adapters, with a device for some addresses only. */
record RoutedProvider(String name, RdmaProvider software, Set<String> addresses) implements RdmaProvider {

    @Override
    public Statistics statistics() {
        return software.statistics();
    }

    @Override
    public MemoryRegion register(ByteBuffer direct) throws RdmaException {
        return software.register(direct);
    }

    @Override
    public CompletionStage<QueuePair> connect(
            InetSocketAddress remote, ConnectionParameters parameters, Handler handler) {
        return leadsTo(remote)
                ? software.connect(remote, parameters, handler)
                : CompletableFuture.failedStage(noDevice(remote));
    }

    @Override
    public RdmaListener listen(InetSocketAddress local, int sharedReceives, ConnectionAcceptor acceptor)
            throws RdmaException {
        if (!leadsTo(local)) {
            throw noDevice(local);
        }
        return software.listen(local, sharedReceives, acceptor);
    }

    @Override
    public void close() {
        software.close();
    }

    private boolean leadsTo(InetSocketAddress address) {
        return address.getAddress().isAnyLocalAddress()
                || addresses.contains(address.getAddress().getHostAddress());
    }

    private RdmaException noDevice(InetSocketAddress address) {
        return new RdmaException(
                Reason.NO_DEVICE,
                name + ": no device for " + address.getAddress().getHostAddress());
    }

    /** Opens one, unless there is an obstacle. */
    record Factory(String name, Optional<String> unavailableReason, RdmaProvider software, Set<String> addresses)
            implements RdmaProviderFactory {

        @Override
        public List<DeviceDescription> devices() {
            return List.of();
        }

        @Override
        public RdmaProvider open(int eventLoops) {
            return new RoutedProvider(name, software, addresses);
        }
    }
}
