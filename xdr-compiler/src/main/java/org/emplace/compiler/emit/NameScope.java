// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import javax.lang.model.SourceVersion;

/** The names taken in one scope. A name that is taken, or a Java keyword, gets trailing underscores until it is free. */
final class NameScope {
    /** No class may have one of these names: they are what generated code itself uses, or what every source imports unseen. */
    private static final Set<String> USED_CLASS_NAMES = Set.of(
            // java.lang
            "Appendable",
            "AutoCloseable",
            "Boolean",
            "Byte",
            "CharSequence",
            "Character",
            "Class",
            "ClassCastException",
            "ClassLoader",
            "ClassNotFoundException",
            "ClassValue",
            "CloneNotSupportedException",
            "Cloneable",
            "Comparable",
            "Compiler",
            "Deprecated",
            "Double",
            "Enum",
            "Error",
            "Exception",
            "Float",
            "FunctionalInterface",
            "Iterable",
            "Integer",
            "InterruptedException",
            "Long",
            "Math",
            "Module",
            "Number",
            "Object",
            "Override",
            "Package",
            "Process",
            "Readable",
            "Record",
            "Runnable",
            "Runtime",
            "SafeVarargs",
            "Short",
            "String",
            "StringBuilder",
            "StringBuffer",
            "SuppressWarnings",
            "System",
            "Thread",
            "ThreadGroup",
            "ThreadLocal",
            "Throwable",
            "Void",
            "IllegalArgumentException",
            "IllegalStateException",
            "IndexOutOfBoundsException",
            "NullPointerException",
            "NumberFormatException",
            "RuntimeException",
            "SecurityException",
            "StrictMath",
            "UnsupportedOperationException",
            "VirtualMachineError",
            "InternalError",
            "LinkageError",
            "OutOfMemoryError",
            "StackOverflowError",
            "AssertionError",
            "NoSuchFieldException",
            "NoSuchMethodException",
            "InstantiationException",
            "ArithmeticException",
            "ProcessBuilder",
            "ProcessHandle",
            "ModuleLayer",
            "StackWalker",
            "StackTraceElement",
            "RuntimePermission",
            "ScopedValue",
            "StringTemplate",
            // java.util and below
            "ArrayList",
            "CompletableFuture",
            "CompletionStage",
            "Function",
            "List",
            "Optional",
            // org.emplace
            "CallOptions",
            "Destination",
            "Payload",
            "Procedure",
            "ProcedureBinding",
            "RpcCall",
            "RpcConnection",
            "RpcException",
            "RpcService",
            "ServerCall",
            "Violation",
            "XdrBounds",
            "XdrCodec",
            "XdrDecoder",
            "XdrEncoder",
            "XdrException",
            "XdrOpaque",
            "XdrQuadruple",
            "XdrReader",
            "XdrRuntime",
            "XdrString",
            "XdrValue",
            "XdrWriter");

    /** Methods of every object: no record component, and no procedure, may be called so. */
    private static final Set<String> OBJECT_METHODS =
            Set.of("clone", "finalize", "getClass", "hashCode", "notify", "notifyAll", "toString", "wait", "equals");

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
        return new NameScope(name -> name.toLowerCase(Locale.ROOT), name -> false, USED_CLASS_NAMES);
    }

    /** Members of one class. */
    static NameScope ofMembers(String... reserved) {
        return new NameScope(UnaryOperator.identity(), name -> false, OBJECT_METHODS).reserve(Set.of(reserved));
    }

    /** Components of one record; they are variables around the lambdas of its constructor. */
    static NameScope ofComponents(String... reserved) {
        return new NameScope(UnaryOperator.identity(), Lambdas::isElement, OBJECT_METHODS).reserve(Set.of(reserved));
    }

    /** The discriminant of a union, which is a component, and a variable around the lambdas that decode an arm. */
    static NameScope ofDiscriminant() {
        Predicate<String> refused = name -> Lambdas.isElement(name) || Lambdas.isDecoder(name);
        return new NameScope(UnaryOperator.identity(), refused, OBJECT_METHODS).reserve(Set.of("in"));
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

    private static boolean isKeyword(String name) {
        return SourceVersion.isKeyword(name, SourceVersion.RELEASE_17) || name.equals("yield");
    }
}
