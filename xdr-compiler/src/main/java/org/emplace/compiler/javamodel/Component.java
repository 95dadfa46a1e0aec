// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.Locale;
import org.emplace.compiler.model.TypeDefinition.Field;

/**
 * A component of a generated record.
 *
 * @param name the Java name
 * @param field the declaration that it comes from
 */
public record Component(String name, JavaType type, Field field) {

    /** The method that gives the same record with another value here. */
    public String wither() {
        return "with" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }

    /** Whether the record's constructor has to look at it. */
    public boolean isChecked() {
        return type.isBounded() || type.isCopied() || type.isObject();
    }
}
