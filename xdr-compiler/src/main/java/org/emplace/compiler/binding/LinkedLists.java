// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.List;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;

/** Tells optional-data that is a linked list: of a struct whose last member is optional-data of the same struct. */
final class LinkedLists {

    private LinkedLists() {}

    static boolean isListOf(Protocol protocol, XdrType.Optional optional) {
        if (!(protocol.resolve(optional.element()) instanceof XdrType.Reference reference)
                || !(protocol.type(reference.name()) instanceof TypeDefinition.Structure structure)) {
            return false;
        }
        List<TypeDefinition.Field> fields = structure.fields();
        XdrType last = protocol.resolve(fields.get(fields.size() - 1).type());
        return last instanceof XdrType.Optional tail
                && protocol.resolve(tail.element()).equals(reference);
    }
}
