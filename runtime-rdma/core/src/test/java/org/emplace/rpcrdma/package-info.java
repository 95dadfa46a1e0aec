// SPDX-License-Identifier: Apache-2.0
@NullMarked
package org.emplace.rpcrdma;

import org.jspecify.annotations.NullMarked;
