// SPDX-License-Identifier: Apache-2.0
/**
 * ONC RPC version 2 (RFC 5531): the runtime of generated clients and servers, and the API that their users see. It depends on no particular transport:
 * {@link java.util.ServiceLoader} finds them, see {@link org.emplace.rpc.transport}.
 */
@NullMarked
package org.emplace.rpc;

import org.jspecify.annotations.NullMarked;
