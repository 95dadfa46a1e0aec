// SPDX-License-Identifier: Apache-2.0
/**
 * ONC RPC version 2 (RFC 5531): what generated clients and servers run on, and what their users see. Knows no particular transport:
 * those are found by {@link java.util.ServiceLoader}, see {@link org.emplace.rpc.transport}.
 */
@NullMarked
package org.emplace.rpc;

import org.jspecify.annotations.NullMarked;
