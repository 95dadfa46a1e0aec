// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rpcrdma.memory.RdmaMemory;
import org.emplace.rpcrdma.memory.RegisteredPool;

/** An open provider with the memory that is registered with it. */
record Device(RdmaProvider provider, RdmaMemory memory) {
    /** The provider that needs no hardware. */
    static final String SOFTWARE = "iwarp";

    /** A device whose pool takes up to half of the memory that the JVM may use. */
    static Device of(RdmaProvider provider) {
        RegisteredPool pool = new RegisteredPool(provider, Runtime.getRuntime().maxMemory() / 2);
        return new Device(provider, new RdmaMemory(provider, pool));
    }

    /** What else may be the matter when nobody answered, to be appended to the failure's message. */
    String hintAfter(RdmaException failure) {
        boolean unanswered = switch (failure.reason()) {
            case UNREACHABLE, REFUSED, TIMED_OUT -> true;
            default -> false;
        };
        if (!unanswered) {
            return "";
        }
        return provider.name().equals(SOFTWARE)
                ? "; software iWARP was tried, which InfiniBand and RoCE peers do not answer"
                : "; " + provider.name() + " was tried, which a software iWARP peer may not answer (-D"
                        + InstalledDevices.PROPERTY + "=" + SOFTWARE + " tries that)";
    }
}
