// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.emplace.rpc.auth.OpaqueAuth;
import org.emplace.rpc.auth.ServerAuth;

/**
 * A flavor that checks neither credentials nor verifiers.
 *
 * @param accepting accepts a call
 */
record RawFlavor(int flavor, Supplier<ServerAuth.Exchange> accepting) implements ServerAuth {
    @Override
    public Exchange accept(OpaqueAuth credential, OpaqueAuth verifier, Supplier<ByteBuffer> header) {
        return accepting.get();
    }
}
