// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import javax.lang.model.SourceVersion;

/**
 * The names that are reserved in a scope. A name that is reserved, or a Java keyword, gets trailing underscores until it is neither. {@link
 * NameClashes} reports names that are the same.
 */
final class NameScope {
    private final Set<String> reserved;
    private final UnaryOperator<String> key;
    private final Predicate<String> refused;

    private NameScope(Set<String> reserved, UnaryOperator<String> key, Predicate<String> refused) {
        this.reserved = reserved;
        this.key = key;
        this.refused = refused;
    }

    /** A scope of classes. Names that differ only in case are the same, because some file systems ignore it. */
    static NameScope ofClasses() {
        return new NameScope(Set.of(), name -> name.toLowerCase(Locale.ROOT), name -> false)
                .reserve(ReservedNames.CLASSES);
    }

    /** A scope of members of a class. */
    static NameScope ofMembers(String... reserved) {
        return ofVariables(name -> false, reserved);
    }

    /** A scope of components of a record, which are also variables around the lambdas of its constructor. */
    static NameScope ofComponents(String... reserved) {
        return ofVariables(ReservedNames::isElement, reserved);
    }

    /** The scope of a union's discriminant, which is a component, and a variable around the lambdas that decode an arm. */
    static NameScope ofDiscriminant() {
        return ofVariables(name -> ReservedNames.isElement(name) || ReservedNames.isDecoder(name), "in");
    }

    private static NameScope ofVariables(Predicate<String> refused, String... reserved) {
        return new NameScope(ReservedNames.OBJECT_METHODS, UnaryOperator.identity(), refused).reserve(Set.of(reserved));
    }

    /** This scope with further names reserved. */
    NameScope reserve(Collection<String> names) {
        Set<String> all = new HashSet<>(reserved);
        names.forEach(name -> all.add(key.apply(name)));
        return new NameScope(all, key, refused);
    }

    /** The name, with underscores if it is reserved. */
    String allowed(String proposed) {
        String name = proposed;
        while (isKeyword(name) || refused.test(name) || reserved.contains(key.apply(name))) {
            name += "_";
        }
        return name;
    }

    static boolean isKeyword(String name) {
        return SourceVersion.isKeyword(name, SourceVersion.RELEASE_17) || name.equals("yield");
    }
}
