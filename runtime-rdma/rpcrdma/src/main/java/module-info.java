// SPDX-License-Identifier: Apache-2.0
/**
 * The transport for RPC-over-RDMA version 1, which {@code org.emplace.rpc} finds by {@link java.util.ServiceLoader}.
 * Exports no packages.
 */
module org.emplace.rpcrdma {
    requires org.emplace.rdma;
    requires org.emplace.reactor;
    requires org.emplace.rpc;
    requires static org.jspecify;

    provides org.emplace.rpc.transport.RpcTransport.Factory with
            org.emplace.rpcrdma.RdmaTransport.Factory;
}
