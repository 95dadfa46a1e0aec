// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Finds the classes of a protocol's definitions. */
final class JavaClasses {
    private final Map<String, JavaClass> byXdrName;
    private final Map<JavaName, JavaClass> byName;

    JavaClasses(Collection<JavaClass> classes) {
        this.byXdrName = classes.stream()
                .collect(Collectors.toMap(each -> each.definition().name(), Function.identity()));
        this.byName = classes.stream().collect(Collectors.toMap(JavaClass::name, Function.identity()));
    }

    /** The union with an XDR name. */
    JavaClass.Union union(String xdrName) {
        return (JavaClass.Union) named(xdrName);
    }

    /** The enum with an XDR name. */
    JavaClass.Enumerated enumeration(String xdrName) {
        return (JavaClass.Enumerated) named(xdrName);
    }

    /** The record of a struct, if the type is one. */
    Optional<JavaClass.Structure> structure(JavaType type) {
        return of(type).filter(JavaClass.Structure.class::isInstance).map(JavaClass.Structure.class::cast);
    }

    /** The interface of a union, if the type is one. */
    Optional<JavaClass.Union> union(JavaType type) {
        return of(type).filter(JavaClass.Union.class::isInstance).map(JavaClass.Union.class::cast);
    }

    /** A name for a type variable that hides no class of the package. */
    String variable(String proposed) {
        String name = proposed;
        while (isClass(name)) {
            name += "_";
        }
        return name;
    }

    private boolean isClass(String simpleName) {
        return byName.keySet().stream()
                .anyMatch(name -> name.simpleNames().get(0).equals(simpleName));
    }

    private JavaClass named(String xdrName) {
        JavaClass found = byXdrName.get(xdrName);
        if (found == null) {
            throw new IllegalArgumentException("no class is generated for " + xdrName);
        }
        return found;
    }

    private Optional<JavaClass> of(JavaType type) {
        return type instanceof JavaType.Generated generated
                ? Optional.ofNullable(byName.get(generated.name()))
                : Optional.empty();
    }
}
