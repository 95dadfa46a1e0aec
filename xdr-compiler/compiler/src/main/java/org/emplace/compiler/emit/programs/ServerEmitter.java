// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.programs;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.emit.code.Javadoc;
import org.emplace.compiler.emit.code.Layout;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.emit.types.Methods;
import org.emplace.compiler.emit.types.Records;
import org.emplace.compiler.emit.types.Signature;
import org.emplace.compiler.javamodel.RemoteProcedure;
import org.emplace.compiler.javamodel.RemoteProgram;

/** Writes the interfaces that a server of a program's version implements: a synchronous one, and one whose methods return stages. */
public final class ServerEmitter {
    private final boolean answersLater;

    /** @param answersLater whether the methods return stages */
    public ServerEmitter(boolean answersLater) {
        this.answersLater = answersLater;
    }

    public TypeSpec emit(RemoteProgram program) {
        ClassName self = Library.generated(answersLater ? program.asyncServer() : program.server());
        TypeSpec.Builder type =
                TypeSpec.interfaceBuilder(self).addModifiers(Modifier.PUBLIC).addJavadoc(documentation(program));
        answered(program).forEach(procedure -> type.addMethod(method(procedure)));
        return type.addMethod(service(program, self)).build();
    }

    /** The procedures that a server answers. A procedure 0 that does nothing is left out: the runtime answers it (RFC 5531 section 12.1). */
    public static Stream<RemoteProcedure> answered(RemoteProgram program) {
        return program.procedures().stream()
                .filter(procedure -> !procedure.procedure().isNull());
    }

    private CodeBlock documentation(RemoteProgram program) {
        String name = "{@code " + program.program().name() + "} version "
                + program.version().number();
        String failure =
                answersLater ? "If a method throws, or its stage completes exceptionally," : "If a method throws,";
        Javadoc javadoc = Javadoc.of("", "Answers " + name + (answersLater ? " asynchronously." : "."))
                .paragraph("Methods may be called by several threads at the same time.")
                .paragraph("A method that is not overridden answers that the server does not have the procedure"
                        + " (PROC_UNAVAIL).\nAdding a procedure to the protocol therefore breaks no implementation.")
                .paragraph(failure + " the call is answered with SYSTEM_ERR." + validity(program));
        program.procedures().stream()
                .filter(each -> each.procedure().isNull())
                .findFirst()
                .ifPresent(each -> javadoc.paragraph(
                        "There is no method for {@code " + each.procedure().name() + "}: the runtime answers it."));
        return javadoc.build();
    }

    private String validity(RemoteProgram program) {
        boolean hasPayloads = program.procedures().stream()
                .anyMatch(each -> !each.plan().arguments().isEmpty());
        return hasPayloads
                ? "\nPayloads in arguments may be used until the "
                        + (answersLater ? "stage completes." : "method returns.")
                : "";
    }

    private MethodSpec method(RemoteProcedure procedure) {
        return MethodSpec.methodBuilder(procedure.method())
                .addModifiers(Modifier.PUBLIC, Modifier.DEFAULT)
                .addJavadoc(documentation(procedure))
                .addJavadoc(Records.parameters(procedure.parameters()))
                .returns(answersLater ? stage(procedure) : Signature.returned(procedure))
                .addException(Exception.class)
                .addParameters(parameters(procedure))
                .addStatement("throw new $T()", Library.PROCEDURE_UNAVAILABLE)
                .build();
    }

    /** The parameters of a server's method. */
    public static List<ParameterSpec> parameters(RemoteProcedure procedure) {
        ParameterSpec call = ParameterSpec.builder(Library.SERVER_CALL, "call").build();
        return Stream.concat(Signature.parameters(procedure.parameters()).stream(), Stream.of(call))
                .toList();
    }

    private static CodeBlock documentation(RemoteProcedure procedure) {
        String name = "{@code " + procedure.procedure().name() + "}";
        return Javadoc.of(procedure.procedure().documentation(), "Answers " + name + ".")
                .build();
    }

    private static TypeName stage(RemoteProcedure procedure) {
        return ParameterizedTypeName.get(ClassName.get(CompletionStage.class), Signature.result(procedure));
    }

    /** The method that makes a service. It has a statement for each procedure, because a chain of hundreds of calls would overflow javac's stack. */
    private MethodSpec service(RemoteProgram program, ClassName self) {
        MethodSpec.Builder method = Methods.described(
                        "service",
                        "A service that answers calls with the methods of {@code server}.",
                        Library.SERVICE,
                        Modifier.STATIC)
                .addParameter(self, "server")
                .addStatement(
                        "$1T.Builder service = $1T.builder($2T.PROGRAM)",
                        Library.SERVICE,
                        Library.generated(program.name()));
        answered(program)
                .forEach(procedure -> method.addCode(
                        "service.$L$L;\n",
                        answersLater ? "handleAsync" : "handle",
                        Layout.arguments(List.of(
                                CodeBlock.of(
                                        "$T.$L", Library.generated(procedure.programClass()), procedure.constant()),
                                body(procedure)))));
        return method.addStatement("return service.build()").build();
    }

    private CodeBlock body(RemoteProcedure procedure) {
        boolean needsResult = !answersLater && procedure.result().isEmpty();
        if (procedure.parameters().size() == 1 && !needsResult) {
            return CodeBlock.of("server::$L", procedure.method());
        }
        return needsResult
                ? CodeBlock.of("(args, call) -> {$>\n$L;\nreturn null;$<\n}", invocation(procedure))
                : CodeBlock.of("(args, call) -> $L", invocation(procedure));
    }

    private static CodeBlock invocation(RemoteProcedure procedure) {
        Stream<String> arguments = procedure.argumentRecord().isPresent()
                ? procedure.parameters().stream().map(each -> "args." + each.name() + "()")
                : procedure.parameters().stream().map(each -> "args");
        return Stream.concat(arguments, Stream.of("call"))
                .map(CodeBlock::of)
                .collect(CodeBlock.joining(", ", "server." + procedure.method() + "(", ")"));
    }
}
