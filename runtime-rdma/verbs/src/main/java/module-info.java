// SPDX-License-Identifier: Apache-2.0
/** RDMA hardware as a provider for {@code org.emplace.rdma}: libibverbs and librdmacm by JNI. Exports nothing; found by ServiceLoader. */
module org.emplace.verbs {
    requires org.emplace.rdma;
    requires org.emplace.reactor;
    requires static org.jspecify;

    provides org.emplace.rdma.RdmaProviderFactory with
            org.emplace.rdma.verbs.VerbsProviderFactory;
}
