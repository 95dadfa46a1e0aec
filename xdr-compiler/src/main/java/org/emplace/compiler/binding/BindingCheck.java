// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import org.emplace.compiler.diagnostic.Diagnostics;

/** One rule that a binding has to keep. */
interface BindingCheck {

    /** Reports every breach of the rule. */
    void check(BindingFacts facts, Diagnostics diagnostics);
}
