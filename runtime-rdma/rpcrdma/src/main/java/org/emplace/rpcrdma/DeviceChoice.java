// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.util.List;
import org.emplace.rdma.RdmaException;

/** Selects the providers that a transport may use. */
@FunctionalInterface
interface DeviceChoice {

    /**
     * Returns the providers to try now.
     *
     * @throws RdmaException with reason NO_DEVICE if there is none
     */
    Candidates candidates() throws RdmaException;

    /**
     * The providers to try.
     *
     * @param inOrder the providers, best first; at least one
     * @param named whether a system property names the only one
     */
    record Candidates(List<Candidate> inOrder, boolean named) {}

    /** A provider that may be used. */
    interface Candidate {

        /** See {@link org.emplace.rdma.RdmaProvider#name}. */
        String provider();

        /**
         * Returns the provider's device, and opens it first if necessary.
         *
         * @throws RdmaException with reason NO_DEVICE if the provider cannot work on this machine; the message says why
         */
        Device device() throws RdmaException;
    }
}
