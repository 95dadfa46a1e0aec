// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;

/** Numbers that a file may use without defining them, because C's header {@code rpc/rpc.h} defines them for the output of rpcgen. */
final class CConstants {

    private static final Map<String, Integer> OF_RPC_H = Map.ofEntries(
            Map.entry("AUTH_NONE", 0),
            Map.entry("AUTH_NULL", 0),
            Map.entry("AUTH_SYS", 1),
            Map.entry("AUTH_UNIX", 1),
            Map.entry("AUTH_SHORT", 2),
            Map.entry("AUTH_DH", 3),
            Map.entry("AUTH_DES", 3),
            Map.entry("AUTH_KERB", 4),
            Map.entry("RPCSEC_GSS", 6),
            Map.entry("MAX_AUTH_BYTES", 400),
            Map.entry("MAX_MACHINE_NAME", 255),
            Map.entry("MAXNETNAMELEN", 255),
            Map.entry("NGRPS", 16));

    private CConstants() {}

    static Optional<BigInteger> number(String name) {
        return Optional.ofNullable(OF_RPC_H.get(name)).map(BigInteger::valueOf);
    }
}
