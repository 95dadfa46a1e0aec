// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.programs;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeSpec;
import java.util.List;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.emit.code.Javadoc;
import org.emplace.compiler.emit.code.Layout;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.emit.mappings.Mapping;
import org.emplace.compiler.emit.types.Records;
import org.emplace.compiler.emit.types.Signature;
import org.emplace.compiler.javamodel.RemoteProcedure;
import org.emplace.compiler.javamodel.RemoteProgram;

/** The client of one version of a program. */
public final class ClientEmitter {

    public TypeSpec emit(RemoteProgram program) {
        ClassName self = Library.generated(program.client());
        TypeSpec.Builder type = TypeSpec.classBuilder(self)
                .addModifiers(Modifier.PUBLIC, Modifier.FINAL)
                .addJavadoc(documentation(program))
                .addField(Library.CONNECTION, "connection", Modifier.PRIVATE, Modifier.FINAL)
                .addField(Library.CALL_OPTIONS, "options", Modifier.PRIVATE, Modifier.FINAL)
                .addMethod(constructor())
                .addMethod(on(self))
                .addMethod(options())
                .addMethod(with(self));
        for (RemoteProcedure procedure : program.procedures()) {
            type.addMethod(synchronous(procedure));
            type.addMethod(asynchronous(procedure));
        }
        program.operations().forEach(each -> type.addMethod(new OperationsClientEmitter(each).factory()));
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
                .addParameter(Library.CALL_OPTIONS, "options")
                .addStatement("this.connection = $L", Mapping.required(CodeBlock.of("connection"), "connection"))
                .addStatement("this.options = $L", Mapping.required(CodeBlock.of("options"), "options"))
                .build();
    }

    private static MethodSpec on(ClassName self) {
        return MethodSpec.methodBuilder("on")
                .addModifiers(Modifier.PUBLIC, Modifier.STATIC)
                .addJavadoc(
                        "A client that makes its calls over a connection, with {@link $T#DEFAULT}. It does not close the connection, which others may use too.\n",
                        Library.CALL_OPTIONS)
                .returns(self)
                .addParameter(Library.CONNECTION, "connection")
                .addStatement("return new $T(connection, $T.DEFAULT)", self, Library.CALL_OPTIONS)
                .build();
    }

    private static MethodSpec options() {
        return MethodSpec.methodBuilder("options")
                .addModifiers(Modifier.PUBLIC)
                .addJavadoc("The options of this client's calls.\n")
                .returns(Library.CALL_OPTIONS)
                .addStatement("return options")
                .build();
    }

    private static MethodSpec with(ClassName self) {
        return MethodSpec.methodBuilder("with")
                .addModifiers(Modifier.PUBLIC)
                .addJavadoc(
                        "A client that makes its calls over the same connection, with these options in place of all of this one's ({@link #options}). This one stays as it is.\n")
                .returns(self)
                .addParameter(Library.CALL_OPTIONS, "options")
                .addStatement("return new $T(connection, options)", self)
                .build();
    }

    private static MethodSpec synchronous(RemoteProcedure procedure) {
        return MethodSpec.methodBuilder(procedure.method())
                .addModifiers(Modifier.PUBLIC)
                .addJavadoc(documentation(procedure))
                .addJavadoc(tags(procedure))
                .returns(Signature.returned(procedure))
                .addParameters(parameters(procedure))
                .addException(Library.RPC_EXCEPTION)
                .addException(InterruptedException.class)
                .addStatement("$L$L($L).await()", returned(procedure), procedure.asyncMethod(), names(procedure))
                .build();
    }

    private static MethodSpec asynchronous(RemoteProcedure procedure) {
        return MethodSpec.methodBuilder(procedure.asyncMethod())
                .addModifiers(Modifier.PUBLIC)
                .addJavadoc(
                        Javadoc.sentence("Like {@link #" + procedure.method() + "}, without waiting for the results."))
                .returns(ParameterizedTypeName.get(Library.CALL, Signature.result(procedure)))
                .addParameters(parameters(procedure))
                .addStatement(
                        "return connection.call$L",
                        Layout.arguments(List.of(
                                CodeBlock.of(
                                        "$T.$L", Library.generated(procedure.programClass()), procedure.constant()),
                                arguments(procedure),
                                DestinationsEmitter.handedOn(procedure),
                                CodeBlock.of("options"))))
                .build();
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

    private static CodeBlock names(RemoteProcedure procedure) {
        return parameters(procedure).stream()
                .map(ParameterSpec::name)
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
