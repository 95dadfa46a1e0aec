// SPDX-License-Identifier: Apache-2.0
/** All that generated code runs on, but for RDMA hardware: RPC over TCP, and over RDMA by software iWARP. */
module org.emplace.runtime {
    requires transitive org.emplace.rpc;
    requires org.emplace.iwarp;
    requires org.emplace.rpcrdma;
}
