// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeSpec;
import java.util.List;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.javamodel.RemoteProcedure;
import org.emplace.compiler.javamodel.RemoteProgram;

/** The client of one version of a program. */
final class ClientEmitter {

    TypeSpec emit(RemoteProgram program) {
        ClassName self = Library.generated(program.client());
        TypeSpec.Builder type = TypeSpec.classBuilder(self)
                .addModifiers(Modifier.PUBLIC, Modifier.FINAL)
                .addJavadoc(documentation(program))
                .addField(Library.CONNECTION, "connection", Modifier.PRIVATE, Modifier.FINAL)
                .addField(Library.CALL_OPTIONS, "defaults", Modifier.PRIVATE, Modifier.FINAL)
                .addMethod(constructor())
                .addMethod(on(self));
        for (RemoteProcedure procedure : program.procedures()) {
            type.addMethod(withDefaults(procedure));
            type.addMethod(withOptions(procedure));
            type.addMethod(asyncWithDefaults(procedure));
            type.addMethod(asyncWithOptions(procedure));
        }
        program.operations()
                .forEach(each -> new OperationsClientEmitter(each).factories().forEach(type::addMethod));
        return type.build();
    }

    private static CodeBlock documentation(RemoteProgram program) {
        return Javadoc.of(
                        "",
                        "Calls {@code " + program.program().name() + "} version "
                                + program.version().number() + ".")
                .paragraph("Safe for use by several threads.")
                .paragraph(
                        "The methods that wait for results throw {@link org.emplace.rpc.RpcException} if the call fails.\n"
                                + "If the waiting thread is interrupted, the call is cancelled.")
                .build();
    }

    private static MethodSpec constructor() {
        return MethodSpec.constructorBuilder()
                .addModifiers(Modifier.PRIVATE)
                .addParameter(Library.CONNECTION, "connection")
                .addParameter(Library.CALL_OPTIONS, "defaults")
                .addStatement("this.connection = $L", Mapping.required(CodeBlock.of("connection"), "connection"))
                .addStatement("this.defaults = $L", Mapping.required(CodeBlock.of("defaults"), "defaults"))
                .build();
    }

    private static MethodSpec on(ClassName self) {
        return MethodSpec.methodBuilder("on")
                .addModifiers(Modifier.PUBLIC, Modifier.STATIC)
                .addJavadoc(
                        "A client that makes its calls over a connection. It does not close the connection, which others may use too.\n\n")
                .addJavadoc("@param defaults the options of calls that are given none\n")
                .returns(self)
                .addParameter(Library.CONNECTION, "connection")
                .addParameter(Library.CALL_OPTIONS, "defaults")
                .addStatement("return new $T(connection, defaults)", self)
                .build();
    }

    private static MethodSpec withDefaults(RemoteProcedure procedure) {
        return synchronous(procedure)
                .addJavadoc(documentation(procedure))
                .addJavadoc(tags(procedure))
                .addParameters(parameters(procedure))
                .addStatement("$L$L($L)", returned(procedure), procedure.method(), names(procedure, "defaults"))
                .build();
    }

    private static MethodSpec withOptions(RemoteProcedure procedure) {
        return synchronous(procedure)
                .addJavadoc(
                        Javadoc.sentence("Like {@link #" + procedure.method() + "}, with options for this call alone."))
                .addParameters(parameters(procedure))
                .addParameter(Library.CALL_OPTIONS, "options")
                .addStatement(
                        "$L$L($L).await()", returned(procedure), procedure.asyncMethod(), names(procedure, "options"))
                .build();
    }

    private static MethodSpec asyncWithDefaults(RemoteProcedure procedure) {
        return asynchronous(procedure)
                .addJavadoc(
                        Javadoc.sentence("Like {@link #" + procedure.method() + "}, without waiting for the results."))
                .addStatement("return $L($L)", procedure.asyncMethod(), names(procedure, "defaults"))
                .build();
    }

    private static MethodSpec asyncWithOptions(RemoteProcedure procedure) {
        MethodSpec.Builder method = asynchronous(procedure)
                .addJavadoc(Javadoc.sentence(
                        "Like {@link #" + procedure.asyncMethod() + "}, with options for this call alone."))
                .addParameter(Library.CALL_OPTIONS, "options");
        return method.addStatement(
                        "return connection.call$L",
                        Layout.arguments(List.of(
                                CodeBlock.of(
                                        "$T.$L", Library.generated(procedure.programClass()), procedure.constant()),
                                arguments(procedure),
                                DestinationsEmitter.handedOn(procedure),
                                CodeBlock.of("options"))))
                .build();
    }

    private static MethodSpec.Builder synchronous(RemoteProcedure procedure) {
        return MethodSpec.methodBuilder(procedure.method())
                .addModifiers(Modifier.PUBLIC)
                .returns(Signature.returned(procedure))
                .addException(Library.RPC_EXCEPTION)
                .addException(InterruptedException.class);
    }

    private static MethodSpec.Builder asynchronous(RemoteProcedure procedure) {
        return MethodSpec.methodBuilder(procedure.asyncMethod())
                .addModifiers(Modifier.PUBLIC)
                .returns(ParameterizedTypeName.get(Library.CALL, Signature.result(procedure)))
                .addParameters(parameters(procedure));
    }

    private static CodeBlock documentation(RemoteProcedure procedure) {
        String name = "{@code " + procedure.procedure().name() + "}";
        return Javadoc.of(
                        procedure.procedure().documentation(),
                        procedure.procedure().isNull()
                                ? "Calls " + name + ", which does nothing: shows that the server answers."
                                : "Calls " + name + ".")
                .build();
    }

    private static CodeBlock tags(RemoteProcedure procedure) {
        CodeBlock tags =
                CodeBlock.of("$L$L", Records.tags(procedure.parameters()), DestinationsEmitter.tags(procedure));
        return tags.toString().isEmpty() ? CodeBlock.of("") : CodeBlock.of("\n$L", tags);
    }

    private static String returned(RemoteProcedure procedure) {
        return procedure.result().isEmpty() ? "" : "return ";
    }

    private static List<ParameterSpec> parameters(RemoteProcedure procedure) {
        return Stream.concat(
                        Signature.parameters(procedure.parameters()).stream(),
                        DestinationsEmitter.parameters(procedure).stream())
                .toList();
    }

    private static CodeBlock names(RemoteProcedure procedure, String options) {
        return Stream.concat(parameters(procedure).stream().map(ParameterSpec::name), Stream.of(options))
                .map(CodeBlock::of)
                .collect(CodeBlock.joining(", "));
    }

    private static CodeBlock arguments(RemoteProcedure procedure) {
        if (procedure.argumentRecord().isEmpty()) {
            return CodeBlock.of(
                    "$L",
                    procedure.parameters().isEmpty()
                            ? "null"
                            : procedure.parameters().get(0).name());
        }
        CodeBlock values = procedure.parameters().stream()
                .map(each -> CodeBlock.of("$L", each.name()))
                .collect(CodeBlock.joining(", "));
        return CodeBlock.of(
                "new $T($L)", Library.generated(procedure.argumentRecord().get()), values);
    }
}
