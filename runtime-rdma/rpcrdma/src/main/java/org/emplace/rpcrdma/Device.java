// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import org.emplace.rdma.RdmaProvider;
import org.emplace.rpcrdma.memory.RdmaMemory;
import org.emplace.rpcrdma.memory.RegisteredPool;

/** An open provider and the memory registered with it. */
record Device(RdmaProvider provider, RdmaMemory memory) {
    /** Creates a device whose pool uses at most half of the JVM's maximum memory. */
    static Device of(RdmaProvider provider) {
        RegisteredPool pool = new RegisteredPool(provider, Runtime.getRuntime().maxMemory() / 2);
        return new Device(provider, new RdmaMemory(provider, pool));
    }
}
