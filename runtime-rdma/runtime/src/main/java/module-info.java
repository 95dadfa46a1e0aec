// SPDX-License-Identifier: Apache-2.0
/** The complete runtime of generated code except for RDMA hardware: RPC over TCP, and over RDMA with software iWARP. */
module org.emplace.runtime {
    requires transitive org.emplace.rpc;
    requires org.emplace.iwarp;
    requires org.emplace.rpcrdma;
}
