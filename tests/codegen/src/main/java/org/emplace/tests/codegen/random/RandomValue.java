// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.random;

import java.util.List;
import java.util.Random;
import org.emplace.compiler.binding.TypeClauses;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.XdrType;
import org.emplace.xdr.XdrOpaque;

/**
 * A value of a protocol's types, drawn at random and written without the encoders under test.
 *
 * @param encoding as RFC 4506 has it
 * @param text the same value in words, each after a space: integers in decimal, floats as their bits in hex, byte items as their length, a
 *     colon and hex, and before elements the count of an array or the flag of optional-data
 */
public record RandomValue(XdrOpaque encoding, String text) {

    /** Values that the protocol's definitions name. */
    public static RandomValue of(List<XdrType> types, Protocol protocol, Random random) {
        return of(types, protocol, TypeClauses.NONE, random);
    }

    /** Values of some types, one after the other. The same state of {@code random} gives the same values. */
    public static RandomValue of(List<XdrType> types, Protocol protocol, TypeClauses clauses, Random random) {
        RandomValueWriter writer = new RandomValueWriter(protocol, clauses, random);
        types.forEach(writer::write);
        return writer.finish();
    }
}
