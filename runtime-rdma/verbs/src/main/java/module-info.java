// SPDX-License-Identifier: Apache-2.0
/** RDMA hardware as a provider for {@code org.emplace.core}: libibverbs and librdmacm by JNI. Exports nothing; found by ServiceLoader. */
module org.emplace.verbs {
    requires org.emplace.core;
    requires static org.jspecify;

    provides org.emplace.rdma.RdmaProviderFactory with
            org.emplace.rdma.verbs.VerbsProviderFactory;
}
