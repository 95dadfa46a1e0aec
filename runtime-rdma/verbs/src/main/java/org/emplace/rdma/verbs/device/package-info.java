// SPDX-License-Identifier: Apache-2.0
/** The devices that a provider has opened, and what each can do. */
@NullMarked
package org.emplace.rdma.verbs.device;

import org.jspecify.annotations.NullMarked;
