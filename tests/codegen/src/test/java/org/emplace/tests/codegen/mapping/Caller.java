// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.util.List;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.Destination;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcConnection;
import org.jspecify.annotations.Nullable;

/** Makes a call. */
final class Caller {
    private Caller() {}

    static <A, R> RpcCall<R> call(
            RpcConnection connection,
            Procedure<A, R> procedure,
            A arguments,
            List<List<@Nullable Destination>> destinations,
            CallOptions options) {
        return connection.call(procedure, arguments, Destinations.ofElements(destinations), options);
    }
}
