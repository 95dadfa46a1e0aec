// SPDX-License-Identifier: Apache-2.0
/** Setting up connections by the connection manager, as initiator and as responder. */
@NullMarked
package org.emplace.rdma.verbs.setup;

import org.jspecify.annotations.NullMarked;
