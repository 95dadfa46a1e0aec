// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.emplace.compiler.binding.TypeClauses;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.XdrType;
import org.emplace.tests.codegen.random.RandomValue;
import org.emplace.xdr.XdrOpaque;

/**
 * What bytes say to a reader that is as loose as libtirpc, and no looser.
 *
 * @param text the value in the words of {@link RandomValue#text}
 * @param textInC the same with strings that end at their first zero byte
 * @param liberties what RFC 4506 has no values for, but libtirpc takes
 */
record LooseReading(String text, String textInC, Set<Liberty> liberties) {

    /** What libtirpc takes and our generated code does not, or not so. */
    enum Liberty {
        /** A {@code bool}, or the flag of optional-data, that is neither 0 nor 1: refused. */
        OTHER_BOOL,
        /** A value without an enumerator, of an enum that is not open: refused. */
        UNKNOWN_ENUMERATOR,
        /** A string with a zero byte, which C takes for its end: taken whole. */
        ZERO_IN_STRING
    }

    /** Empty if the bytes are no value of these types, one after the other, to anybody. */
    static Optional<LooseReading> of(List<XdrType> types, Protocol protocol, TypeClauses clauses, XdrOpaque bytes) {
        LooseReader reader = new LooseReader(protocol, clauses, bytes);
        try {
            types.forEach(reader::read);
            return reader.isAtEnd() ? Optional.of(reader.finish()) : Optional.empty();
        } catch (LooseReader.NoValueException e) {
            return Optional.empty();
        }
    }

    /** Whether our generated code has to refuse it. */
    boolean isMalformed() {
        return liberties.contains(Liberty.OTHER_BOOL) || liberties.contains(Liberty.UNKNOWN_ENUMERATOR);
    }

    /** Whether C has another value than its text, for a string that it cut. */
    boolean isCutInC() {
        return liberties.contains(Liberty.ZERO_IN_STRING);
    }
}
