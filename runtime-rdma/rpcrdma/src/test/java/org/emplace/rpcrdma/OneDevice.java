// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.util.List;

/** A choice of only one device, which is open. */
record OneDevice(Device device) implements DeviceChoice, DeviceChoice.Candidate {

    /** A transport that uses it. */
    static RdmaTransport transport(Device device) {
        return new RdmaTransport(new OneDevice(device), choice -> {}, TransportResources.open());
    }

    @Override
    public Candidates candidates() {
        return new Candidates(List.of(this), false);
    }

    @Override
    public String provider() {
        return device.provider().name();
    }
}
