// SPDX-License-Identifier: Apache-2.0
/** Connections by the connection manager (librdmacm): setting up as initiator and responder, and the end. */
@NullMarked
package org.emplace.rdma.verbs.connection;

import org.jspecify.annotations.NullMarked;
