// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import org.emplace.compiler.diagnostic.Diagnostics;

/** A rule that bindings must follow. */
interface BindingCheck {

    /** Reports every violation of the rule. */
    void check(BindingFacts facts, Diagnostics diagnostics);
}
