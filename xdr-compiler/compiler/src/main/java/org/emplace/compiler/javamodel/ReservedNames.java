// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Names that generated declarations cannot have. */
public final class ReservedNames {
    /** The class of a protocol's constants. */
    static final String CONSTANTS = "Constants";

    /** The names that classes cannot have: those that generated code uses, and those that every source file imports implicitly. */
    public static final Set<String> CLASSES = Stream.of(
                    // java.lang
                    """
                    Appendable AutoCloseable Boolean Byte CharSequence Character Class ClassCastException
                    ClassLoader ClassNotFoundException ClassValue CloneNotSupportedException Cloneable Comparable
                    Compiler Deprecated Double Enum Error Exception Float FunctionalInterface Iterable Integer
                    InterruptedException Long Math Module Number Object Override Package Process Readable Record
                    Runnable Runtime SafeVarargs Short String StringBuilder StringBuffer SuppressWarnings System
                    Thread ThreadGroup ThreadLocal Throwable Void IllegalArgumentException IllegalStateException
                    IndexOutOfBoundsException NullPointerException NumberFormatException RuntimeException
                    SecurityException StrictMath UnsupportedOperationException VirtualMachineError InternalError
                    LinkageError OutOfMemoryError StackOverflowError AssertionError NoSuchFieldException
                    NoSuchMethodException InstantiationException ArithmeticException ProcessBuilder ProcessHandle
                    ModuleLayer StackWalker StackTraceElement RuntimePermission ScopedValue StringTemplate
                    """,
                    // java.util and below
                    """
                    ArrayList CompletableFuture CompletionStage Function List Objects Optional OptionalDouble
                    OptionalInt OptionalLong
                    """,
                    // Contextual keywords of type declarations.
                    """
                    permits sealed var
                    """,
                    // org.emplace
                    """
                    CallOptions Destination Destinations Generated NullMarked Nullable OperationList OperationResult
                    OperationUnavailableException Payload Procedure ProcedureBinding ProcedureUnavailableException
                    ResultOrder RpcCall RpcConnection RpcException RpcProgram RpcService ServerCall Violation XdrBits XdrBounds
                    XdrCodec XdrDecoder XdrDoubles XdrEncoder XdrException XdrFloats XdrInts XdrLinkedList XdrLongs
                    XdrOpaque XdrOptionalNumbers XdrQuadruple XdrRuntime XdrString XdrUnsignedInts
                    XdrValue
                    """,
                    // Beside the generated classes.
                    CONSTANTS)
            .flatMap(ReservedNames::words)
            .collect(Collectors.toUnmodifiableSet());

    /** Methods of Object, which components and procedures cannot redefine. */
    public static final Set<String> OBJECT_METHODS =
            Set.of("clone", "finalize", "getClass", "hashCode", "notify", "notifyAll", "toString", "wait", "equals");

    private static final Pattern ELEMENT = Pattern.compile("each[0-9]*");
    private static final Pattern DECODER = Pattern.compile("from[0-9]*");

    private ReservedNames() {}

    private static Stream<String> words(String text) {
        return Stream.of(text.strip().split("\\s+", -1));
    }

    /** Whether a lambda in a record's constructor may have a parameter of this name, so that no component can have it. */
    static boolean isElement(String name) {
        return ELEMENT.matcher(name).matches();
    }

    /** Whether a lambda that decodes may have a parameter of this name. */
    static boolean isDecoder(String name) {
        return DECODER.matcher(name).matches();
    }
}
