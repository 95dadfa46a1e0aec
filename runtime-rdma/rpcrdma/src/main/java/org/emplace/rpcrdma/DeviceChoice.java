// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.util.List;
import org.emplace.rdma.RdmaException;

/** Which devices a transport may use. */
@FunctionalInterface
interface DeviceChoice {

    /**
     * The providers to try now.
     *
     * @throws RdmaException with reason NO_DEVICE if there is none
     */
    Candidates candidates() throws RdmaException;

    /**
     * Providers to try.
     *
     * @param inOrder best first; at least one
     * @param named whether the user named the only one
     */
    record Candidates(List<Candidate> inOrder, boolean named) {}

    /** A provider that may be used. */
    interface Candidate {

        /** See {@link org.emplace.rdma.RdmaProvider#name}. */
        String provider();

        /**
         * Its device, opened if it is not yet.
         *
         * @throws RdmaException with reason NO_DEVICE if it cannot work here; the message says why
         */
        Device device() throws RdmaException;
    }
}
