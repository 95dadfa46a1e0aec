// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.code;

import com.palantir.javapoet.AnnotationSpec;
import com.palantir.javapoet.ClassName;
import java.util.List;
import org.emplace.compiler.javamodel.JavaName;

/** The classes that generated code uses: those of the runtime, by name because the compiler does not depend on them, and other generated classes. */
public final class Library {
    public static final ClassName BITS = xdr("XdrBits");
    public static final ClassName BOUNDS = xdr("XdrBounds");
    public static final ClassName CODEC = xdr("XdrCodec");
    public static final ClassName DECODER = xdr("XdrDecoder");
    public static final ClassName ENCODER = xdr("XdrEncoder");
    public static final ClassName GENERATED = xdr("Generated");
    public static final ClassName EXCEPTION = xdr("XdrException");
    public static final ClassName LINKED_LIST = xdr("XdrLinkedList");
    public static final ClassName DOUBLES = xdr("XdrDoubles");
    public static final ClassName FLOATS = xdr("XdrFloats");
    public static final ClassName INTS = xdr("XdrInts");
    public static final ClassName LONGS = xdr("XdrLongs");
    public static final ClassName UNSIGNED_INTS = xdr("XdrUnsignedInts");
    public static final ClassName OPAQUE = xdr("XdrOpaque");
    public static final ClassName OPTIONAL_NUMBERS = xdr("XdrOptionalNumbers");
    public static final ClassName PAYLOAD = xdr("Payload");
    public static final ClassName QUADRUPLE = xdr("XdrQuadruple");
    public static final ClassName RUNTIME = xdr("XdrRuntime");
    public static final ClassName STRING = xdr("XdrString");
    public static final ClassName VALUE = xdr("XdrValue");

    public static final ClassName NULL_MARKED = ClassName.get("org.jspecify.annotations", "NullMarked");
    public static final ClassName NULLABLE = ClassName.get("org.jspecify.annotations", "Nullable");

    public static final ClassName CALL = rpc("RpcCall");
    public static final ClassName CALL_OPTIONS = rpc("CallOptions");
    public static final ClassName CONNECTION = rpc("RpcConnection");
    public static final ClassName DESTINATION = rpc("Destination");
    public static final ClassName DESTINATIONS = rpc("Destinations");
    public static final ClassName OPERATION_LIST = rpc("OperationList");
    public static final ClassName OPERATION_RESULT = rpc("OperationResult");
    public static final ClassName OPERATION_UNAVAILABLE = rpc("OperationUnavailableException");
    public static final ClassName PLACE = rpc("OperationList").nestedClass("Place");
    public static final ClassName PROCEDURE = rpc("Procedure");
    public static final ClassName PROCEDURE_BINDING = rpc("ProcedureBinding");
    public static final ClassName PROCEDURE_UNAVAILABLE = rpc("ProcedureUnavailableException");
    public static final ClassName PROGRAM = rpc("RpcProgram");
    public static final ClassName RESULT_ORDER = rpc("ResultOrder");
    public static final ClassName RPC_EXCEPTION = rpc("RpcException");
    public static final ClassName SERVER_CALL = rpc("ServerCall");
    public static final ClassName SERVICE = rpc("RpcService");
    public static final ClassName VIOLATION = rpc("ProcedureBinding").nestedClass("Violation");

    private Library() {}

    /** The annotation of a type that includes null. */
    public static AnnotationSpec nullable() {
        return AnnotationSpec.builder(NULLABLE).build();
    }

    /** A generated class. */
    public static ClassName generated(JavaName name) {
        List<String> names = name.simpleNames();
        return ClassName.get(
                name.packageName(), names.get(0), names.subList(1, names.size()).toArray(String[]::new));
    }

    private static ClassName xdr(String name) {
        return ClassName.get("org.emplace.xdr", name);
    }

    private static ClassName rpc(String name) {
        return ClassName.get("org.emplace.rpc", name);
    }
}
