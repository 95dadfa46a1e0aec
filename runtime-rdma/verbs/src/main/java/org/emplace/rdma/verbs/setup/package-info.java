// SPDX-License-Identifier: Apache-2.0
/**
 * Setting up connections by the connection manager, as initiator and as responder.
 *
 * <p>Used by the provider. What is done after a connection is established belongs to the queue pair.
 */
@NullMarked
package org.emplace.rdma.verbs.setup;

import org.jspecify.annotations.NullMarked;
