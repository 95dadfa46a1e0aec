// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.javamodel.RemoteProcedure;
import org.emplace.compiler.javamodel.RemoteProcedure.DestinationParameter;
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
        boolean gathers = procedure.destinations().stream().anyMatch(DestinationParameter::isList)
                && procedure.destinations().size() > 1;
        if (gathers) {
            method.addCode(gathered(procedure));
        }
        return method.addStatement(
                        "return connection.call$L",
                        Layout.arguments(List.of(
                                CodeBlock.of(
                                        "$T.$L", Library.generated(procedure.programClass()), procedure.constant()),
                                arguments(procedure),
                                gathers ? CodeBlock.of("destinations") : destinations(procedure),
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
        CodeBlock.Builder tags = CodeBlock.builder().add(Records.tags(procedure.parameters()));
        for (DestinationParameter each : procedure.destinations()) {
            each.name().ifPresent(name -> tags.add(destinationTag(name, each)));
        }
        return tags.isEmpty() ? CodeBlock.of("") : CodeBlock.of("\n$L", tags.build());
    }

    /** The parameter tag of a destination. */
    static CodeBlock destinationTag(String name, DestinationParameter destination) {
        return destination.isList()
                ? CodeBlock.of(
                        "@param $L one for each DDP-eligible {@code $L} of the results, in their order\n",
                        name,
                        destination.item().replace(", ", "} or {@code "))
                : CodeBlock.of("@param $L where the DDP-eligible {@code $L} goes\n", name, destination.item());
    }

    private static String returned(RemoteProcedure procedure) {
        return procedure.result().isEmpty() ? "" : "return ";
    }

    private static List<ParameterSpec> parameters(RemoteProcedure procedure) {
        Stream<ParameterSpec> destinations = procedure.destinations().stream()
                .flatMap(each -> each.name().stream()
                        .map(name -> ParameterSpec.builder(type(each), name).build()));
        return Stream.concat(Signature.parameters(procedure.parameters()).stream(), destinations)
                .toList();
    }

    private static TypeName type(DestinationParameter destination) {
        return destination.isList()
                ? ParameterizedTypeName.get(ClassName.get(List.class), Library.DESTINATION)
                : Library.DESTINATION;
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

    private static CodeBlock destinations(RemoteProcedure procedure) {
        List<DestinationParameter> all = procedure.destinations();
        if (all.size() == 1 && all.get(0).isList() && all.get(0).name().isPresent()) {
            return CodeBlock.of("$L", all.get(0).name().get());
        }
        if (all.stream().noneMatch(each -> each.name().isPresent())) {
            return CodeBlock.of("$T.of()", List.class);
        }
        return CodeBlock.of(
                "$T.of($L)",
                List.class,
                all.stream().map(ClientEmitter::destination).collect(CodeBlock.joining(", ")));
    }

    /** A destination. An item that is decoded from its chunk needs memory, but not the user's. */
    static CodeBlock destination(DestinationParameter parameter) {
        return parameter
                .name()
                .map(name -> CodeBlock.of("$L", name))
                .orElse(CodeBlock.of("$T.allocate()", Library.DESTINATION));
    }

    private static CodeBlock gathered(RemoteProcedure procedure) {
        CodeBlock.Builder code = CodeBlock.builder()
                .addStatement("$1T<$2T> destinations = new $3T<>()", List.class, Library.DESTINATION, ArrayList.class);
        for (DestinationParameter each : procedure.destinations()) {
            boolean isList = each.isList() && each.name().isPresent();
            code.addStatement("destinations.$L($L)", isList ? "addAll" : "add", destination(each));
        }
        return code.build();
    }
}
