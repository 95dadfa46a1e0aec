// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.util.List;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.OperationResult;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcConnection;

/** Makes calls by the generated client of a drawn protocol. {@link StubText} writes an implementation for each. */
public interface Stub {

    /** Makes a call by the client's method of the procedure. */
    RpcCall<?> call(RpcConnection connection, Object arguments, Named destinations, CallOptions options);

    /**
     * Makes a call operation by operation.
     *
     * @param results takes the result of each operation
     */
    default RpcCall<?> operations(
            RpcConnection connection,
            Object arguments,
            Named destinations,
            CallOptions options,
            List<OperationResult<?>> results) {
        throw new UnsupportedOperationException("the procedure has no operations");
    }
}
