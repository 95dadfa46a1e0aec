// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import org.emplace.rdma.RdmaException;

/** Which device a transport uses. */
@FunctionalInterface
interface DeviceChoice {

    /**
     * The device, opened if it is not yet.
     *
     * @throws RdmaException if no provider works; the message says why each of them does not
     */
    Device device() throws RdmaException;
}
