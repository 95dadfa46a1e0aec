// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import org.emplace.rdma.RdmaProvider;
import org.emplace.rpcrdma.memory.RdmaMemory;
import org.emplace.rpcrdma.memory.RegisteredPool;

/** An open provider and the memory registered with it. */
record Device(RdmaProvider provider, RdmaMemory memory) {
    /** A device whose pool takes up to half of the memory that the JVM may use. */
    static Device of(RdmaProvider provider) {
        RegisteredPool pool = new RegisteredPool(provider, Runtime.getRuntime().maxMemory() / 2);
        return new Device(provider, new RdmaMemory(provider, pool));
    }
}
