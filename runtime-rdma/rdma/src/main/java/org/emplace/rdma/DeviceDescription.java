// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.List;

/**
 * What a person wants to know of a device before using it.
 *
 * @param name as the system calls it: {@code mlx5_0}, {@code rxe0}; {@code software} for software iWARP
 * @param transport {@code InfiniBand}, {@code RoCE} or {@code iWARP}
 * @param state whether it can be used, in the system's words: {@code active}, {@code down}
 * @param addresses the local addresses that lead to it, as text; empty where none is set up
 * @param capabilities what it can do, the most important first
 */
public record DeviceDescription(
        String name, String transport, String state, List<String> addresses, List<Capability> capabilities) {

    /** Copies the lists. */
    public DeviceDescription {
        addresses = List.copyOf(addresses);
        capabilities = List.copyOf(capabilities);
    }

    /**
     * One thing that devices differ in.
     *
     * @param name what it is: {@code memory windows}, {@code shared receive queue}, {@code remote invalidation}, {@code inline}, {@code
     *     outstanding Reads}
     * @param value what this device does: {@code type 2B}, {@code yes, 1024}, {@code none}
     */
    public record Capability(String name, String value) {}
}
