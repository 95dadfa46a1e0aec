// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import javax.lang.model.SourceVersion;

/** The names taken in one scope. A name that is taken, or a Java keyword, gets trailing underscores until it is free. */
final class NameScope {
    private final Set<String> taken = new HashSet<>();
    private final UnaryOperator<String> key;
    private final Predicate<String> refused;

    private NameScope(UnaryOperator<String> key, Predicate<String> refused, Collection<String> reserved) {
        this.key = key;
        this.refused = refused;
        reserved.forEach(name -> taken.add(key.apply(name)));
    }

    /** Classes of one package. Names that differ in case alone would be one file on some systems, so they clash. */
    static NameScope ofClasses() {
        return new NameScope(name -> name.toLowerCase(Locale.ROOT), name -> false, ReservedNames.CLASSES);
    }

    /** Members of one class. */
    static NameScope ofMembers(String... reserved) {
        return new NameScope(UnaryOperator.identity(), name -> false, ReservedNames.OBJECT_METHODS)
                .reserve(Set.of(reserved));
    }

    /** Components of one record; they are variables around the lambdas of its constructor. */
    static NameScope ofComponents(String... reserved) {
        return new NameScope(UnaryOperator.identity(), ReservedNames::isElement, ReservedNames.OBJECT_METHODS)
                .reserve(Set.of(reserved));
    }

    /** The discriminant of a union, which is a component, and a variable around the lambdas that decode an arm. */
    static NameScope ofDiscriminant() {
        Predicate<String> refused = name -> ReservedNames.isElement(name) || ReservedNames.isDecoder(name);
        return new NameScope(UnaryOperator.identity(), refused, ReservedNames.OBJECT_METHODS).reserve(Set.of("in"));
    }

    /** Reserves more names. */
    NameScope reserve(Collection<String> names) {
        names.forEach(name -> taken.add(key.apply(name)));
        return this;
    }

    /** Whether a name could be had as it is. */
    boolean isFree(String name) {
        return !isKeyword(name) && !refused.test(name) && !taken.contains(key.apply(name));
    }

    /** Takes the name, or the nearest free one. */
    String claim(String proposed) {
        String name = proposed;
        while (!isFree(name)) {
            name += "_";
        }
        taken.add(key.apply(name));
        return name;
    }

    static boolean isKeyword(String name) {
        return SourceVersion.isKeyword(name, SourceVersion.RELEASE_17) || name.equals("yield");
    }
}
