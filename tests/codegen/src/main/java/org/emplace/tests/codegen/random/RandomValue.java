// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.random;

import java.util.List;
import java.util.Random;
import org.emplace.compiler.binding.TypeClauses;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.XdrType;
import org.emplace.xdr.XdrOpaque;

/**
 * A random value of a protocol's types, written without the encoders under test.
 *
 * @param encoding according to RFC 4506
 * @param text the value as text, each part after a space: integers in decimal, floats as their bits in hex, byte items as their length, a
 *     colon and hex; before elements the count of an array or the flag of optional-data
 */
public record RandomValue(XdrOpaque encoding, String text) {

    /** Values of types that the protocol's definitions name. */
    public static RandomValue of(List<XdrType> types, Protocol protocol, Random random) {
        return of(types, protocol, TypeClauses.NONE, random);
    }

    /** Values of some types, one after the other. Equal states of {@code random} give equal values. */
    public static RandomValue of(List<XdrType> types, Protocol protocol, TypeClauses clauses, Random random) {
        RandomValueWriter writer = new RandomValueWriter(protocol, clauses, random);
        types.forEach(writer::write);
        return writer.finish();
    }
}
