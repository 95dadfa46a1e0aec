// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.model;

import java.util.List;
import org.emplace.compiler.source.Span;

/** A {@code program} (RFC 5531 section 12). Numbers are unsigned 32 bits. */
public record Program(String name, long number, List<Version> versions, String documentation, Span origin) {

    /** A {@code version} of a program. */
    public record Version(String name, long number, List<Procedure> procedures, String documentation, Span origin) {}

    /**
     * A procedure.
     *
     * @param arguments empty for {@code void}
     * @param argumentNames the XDR name of each argument; {@code arg1}, {@code arg2} if the source has none
     * @param result {@link XdrType.Primitive#VOID} for none
     */
    public record Procedure(
            String name,
            long number,
            List<XdrType> arguments,
            List<String> argumentNames,
            XdrType result,
            String documentation,
            Span origin) {

        /** Whether it is the procedure that does nothing by convention (RFC 5531 section 12.1). */
        public boolean isNull() {
            return number == 0
                    && result == XdrType.Primitive.VOID
                    && arguments.stream().allMatch(type -> type == XdrType.Primitive.VOID);
        }
    }
}
