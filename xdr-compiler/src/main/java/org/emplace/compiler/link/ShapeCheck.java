// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Protocol;

/** Pass 5: recursion and sizes. */
record ShapeCheck(Protocol protocol, Diagnostics diagnostics) {

    void run() {}
}
