// SPDX-License-Identifier: Apache-2.0
/** Authentication flavors at both ends of a call (RFC 5531 sections 8.2 and 10): AUTH_NONE, AUTH_SYS, and the interfaces for others. */
@NullMarked
package org.emplace.rpc.auth;

import org.jspecify.annotations.NullMarked;
