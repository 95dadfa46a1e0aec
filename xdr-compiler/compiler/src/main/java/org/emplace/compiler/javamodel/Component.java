// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import org.emplace.compiler.model.TypeDefinition.Field;

/**
 * A component of a generated record.
 *
 * @param name the Java name
 * @param field the declaration that it comes from
 */
public record Component(String name, JavaType type, Field field) {

    /** The method that returns a copy of the record with another value of this component. */
    public String wither() {
        return "with" + NameWords.withCapital(name);
    }

    /** Whether the record's constructor checks it. */
    public boolean isChecked() {
        return type.isBounded() || type.isCopied() || type.isObject();
    }
}
