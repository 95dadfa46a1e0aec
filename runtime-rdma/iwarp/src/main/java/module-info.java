// SPDX-License-Identifier: Apache-2.0
/** RDMA over TCP in pure Java, as a provider for {@code org.emplace.rdma}. Exports nothing; found by ServiceLoader. */
module org.emplace.iwarp {
    requires org.emplace.rdma;
    requires org.emplace.reactor;
    requires static org.jspecify;

    provides org.emplace.rdma.RdmaProviderFactory with
            org.emplace.rdma.iwarp.IwarpProvider.Factory;
}
