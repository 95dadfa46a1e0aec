// SPDX-License-Identifier: Apache-2.0
/** A peer: gRPC-Java, with the same payloads and without protobuf, so that a message is its bytes. */
@NullMarked
package org.emplace.benchmarks.grpc;

import org.jspecify.annotations.NullMarked;
