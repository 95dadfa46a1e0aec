// SPDX-License-Identifier: Apache-2.0
/** For comparison: gRPC-Java with the same payloads, without protobuf: a message is its bytes. */
@NullMarked
package org.emplace.benchmarks.grpc;

import org.jspecify.annotations.NullMarked;
