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
 * A value as a reader decodes it that is exactly as lenient as libtirpc.
 *
 * @param text the value in the form of {@link RandomValue#text}
 * @param textInC the same, with strings cut at their first zero byte
 * @param liberties what libtirpc accepts in it although RFC 4506 does not allow it
 */
record LooseReading(String text, String textInC, Set<Liberty> liberties) {

    /** Something that libtirpc accepts and our generated code rejects or decodes differently. */
    enum Liberty {
        /** A {@code bool}, or the flag of optional-data, that is neither 0 nor 1. We reject it. */
        OTHER_BOOL,
        /** A value without an enumerator, of an enum that is not open. We reject it. */
        UNKNOWN_ENUMERATOR,
        /** A string with a zero byte, at which C ends the string. We keep the whole string. */
        ZERO_IN_STRING
    }

    /** Reads values of these types, one after the other. Empty if the bytes are not such values, not even to libtirpc. */
    static Optional<LooseReading> of(List<XdrType> types, Protocol protocol, TypeClauses clauses, XdrOpaque bytes) {
        LooseReader reader = new LooseReader(protocol, clauses, bytes);
        try {
            types.forEach(reader::read);
            return reader.isAtEnd() ? Optional.of(reader.finish()) : Optional.empty();
        } catch (LooseReader.NoValueException e) {
            return Optional.empty();
        }
    }

    /** Whether our generated code must reject the bytes. */
    boolean isMalformed() {
        return liberties.contains(Liberty.OTHER_BOOL) || liberties.contains(Liberty.UNKNOWN_ENUMERATOR);
    }

    /** Whether C decodes another value, because it cuts a string. */
    boolean isCutInC() {
        return liberties.contains(Liberty.ZERO_IN_STRING);
    }
}
