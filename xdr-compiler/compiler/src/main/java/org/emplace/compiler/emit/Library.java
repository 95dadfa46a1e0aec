// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.AnnotationSpec;
import com.palantir.javapoet.ClassName;
import java.util.List;
import org.emplace.compiler.javamodel.JavaName;

/** The classes that generated code uses: those of the runtime, by name because the compiler does not depend on them, and other generated classes. */
final class Library {
    static final ClassName BITS = xdr("XdrBits");
    static final ClassName BOUNDS = xdr("XdrBounds");
    static final ClassName CODEC = xdr("XdrCodec");
    static final ClassName DECODER = xdr("XdrDecoder");
    static final ClassName ENCODER = xdr("XdrEncoder");
    static final ClassName GENERATED = xdr("Generated");
    static final ClassName EXCEPTION = xdr("XdrException");
    static final ClassName LINKED_LIST = xdr("XdrLinkedList");
    static final ClassName DOUBLES = xdr("XdrDoubles");
    static final ClassName FLOATS = xdr("XdrFloats");
    static final ClassName INTS = xdr("XdrInts");
    static final ClassName LONGS = xdr("XdrLongs");
    static final ClassName UNSIGNED_INTS = xdr("XdrUnsignedInts");
    static final ClassName OPAQUE = xdr("XdrOpaque");
    static final ClassName OPTIONAL_NUMBERS = xdr("XdrOptionalNumbers");
    static final ClassName PAYLOAD = xdr("Payload");
    static final ClassName QUADRUPLE = xdr("XdrQuadruple");
    static final ClassName RUNTIME = xdr("XdrRuntime");
    static final ClassName STRING = xdr("XdrString");
    static final ClassName VALUE = xdr("XdrValue");

    static final ClassName NULL_MARKED = ClassName.get("org.jspecify.annotations", "NullMarked");
    static final ClassName NULLABLE = ClassName.get("org.jspecify.annotations", "Nullable");

    static final ClassName CALL = rpc("RpcCall");
    static final ClassName CALL_OPTIONS = rpc("CallOptions");
    static final ClassName CONNECTION = rpc("RpcConnection");
    static final ClassName DESTINATION = rpc("Destination");
    static final ClassName DESTINATIONS = rpc("Destinations");
    static final ClassName OPERATION_LIST = rpc("OperationList");
    static final ClassName OPERATION_RESULT = rpc("OperationResult");
    static final ClassName OPERATION_UNAVAILABLE = rpc("OperationUnavailableException");
    static final ClassName PLACE = rpc("OperationList").nestedClass("Place");
    static final ClassName PROCEDURE = rpc("Procedure");
    static final ClassName PROCEDURE_BINDING = rpc("ProcedureBinding");
    static final ClassName PROCEDURE_UNAVAILABLE = rpc("ProcedureUnavailableException");
    static final ClassName PROGRAM = rpc("RpcProgram");
    static final ClassName RESULT_ORDER = rpc("ResultOrder");
    static final ClassName RPC_EXCEPTION = rpc("RpcException");
    static final ClassName SERVER_CALL = rpc("ServerCall");
    static final ClassName SERVICE = rpc("RpcService");
    static final ClassName VIOLATION = rpc("ProcedureBinding").nestedClass("Violation");

    private Library() {}

    /** The annotation of a type that includes null. */
    static AnnotationSpec nullable() {
        return AnnotationSpec.builder(NULLABLE).build();
    }

    /** A generated class. */
    static ClassName generated(JavaName name) {
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
