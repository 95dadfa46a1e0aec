// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import org.emplace.compiler.binding.Reach.ProcedureReach;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;

/** E318: a procedure does not contain more eligible items than chunk lists can carry. */
final class TooManyItemsCheck implements BindingCheck {

    @Override
    public void check(BindingFacts facts, Diagnostics diagnostics) {
        for (ProcedureReach procedure : facts.procedures()) {
            if (!procedure.arguments().complete() || !procedure.results().complete()) {
                diagnostics.report(Diagnostic.error(
                                "E318",
                                procedure.procedure().origin(),
                                "`" + procedure.procedure().name()
                                        + "` has more eligible items than chunk lists can carry")
                        .hint("put the items into an array, or make a larger item eligible as a whole"));
            }
        }
    }
}
