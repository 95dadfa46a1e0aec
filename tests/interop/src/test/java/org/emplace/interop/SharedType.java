// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import java.util.Optional;
import org.emplace.compiler.model.XdrType;
import org.emplace.tests.codegen.random.CodedType;

/**
 * A type that both our generated code and rpcgen's can code.
 *
 * @param coded the type with our code
 * @param cType the C type of its values
 * @param cName the suffix of the names of its C routines
 */
record SharedType(CodedType<?> coded, String cType, String cName) {

    /** Empty if rpcgen generates no routine for the type. */
    static Optional<SharedType> of(CodedType<?> coded) {
        XdrType first = coded.types().get(0);
        if (coded.types().size() > 1) {
            return Optional.empty();
        } else if (first instanceof XdrType.Reference reference) {
            return Optional.of(new SharedType(coded, reference.name(), reference.name()));
        } else if (first == XdrType.Primitive.BOOL) {
            return Optional.of(new SharedType(coded, "bool_t", "bool"));
        } else if (first == XdrType.Primitive.UNSIGNED_INT) {
            return Optional.of(new SharedType(coded, "u_int", "u_int"));
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return coded.toString();
    }
}
