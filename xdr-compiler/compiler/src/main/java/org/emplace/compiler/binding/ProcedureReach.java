// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.List;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Target;

/**
 * A procedure with the items in its arguments and results that are eligible somewhere.
 *
 * @param backward whether its program is called in the backward direction, without chunks
 */
record ProcedureReach(
        Target.Procedure target,
        Program.Procedure procedure,
        boolean backward,
        Reach.Found arguments,
        Reach.Found results) {

    Reach.Found in(Direction direction) {
        return direction == Direction.ARGUMENTS ? arguments : results;
    }

    /** The items that may move by chunks. */
    List<Occurrence> eligible(Direction direction) {
        return backward
                ? List.of()
                : in(direction).occurrences().stream()
                        .filter(Occurrence::eligible)
                        .toList();
    }
}
