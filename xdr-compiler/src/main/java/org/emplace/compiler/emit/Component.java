// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.CodeBlock;
import java.util.ArrayList;
import java.util.List;
import org.emplace.compiler.model.TypeDefinition.Field;

/**
 * A component of a generated record.
 *
 * @param name the Java name
 */
record Component(String name, Mapping mapping, Field field) {

    /** The components for some members of one type. */
    static List<Component> of(String owner, List<Field> fields, Mappings mappings, Names names) {
        NameScope scope = NameScope.ofComponents();
        List<Component> components = new ArrayList<>();
        for (Field field : fields) {
            String name = names.override(owner + "." + field.name(), NameWords.camel(field.name()));
            components.add(new Component(scope.claim(name), mappings.member(owner, field), field));
        }
        return components;
    }

    CodeBlock encode(String out) {
        return mapping.encode(out, CodeBlock.of("$L", name), 0);
    }

    boolean isChecked() {
        return mapping.isBounded() || mapping.isCopied();
    }

    CodeBlock check() {
        return mapping.check(name, name);
    }
}
