// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import com.palantir.javapoet.WildcardTypeName;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;

/** The interface that a server of one version of a program implements: one that answers at once, and one that answers by stages. */
final class ServerEmitter {
    private final boolean answersLater;

    private ServerEmitter(boolean answersLater) {
        this.answersLater = answersLater;
    }

    static ServerEmitter synchronous() {
        return new ServerEmitter(false);
    }

    static ServerEmitter asynchronous() {
        return new ServerEmitter(true);
    }

    TypeSpec emit(RemoteProgram program, ClassName self) {
        TypeSpec.Builder type =
                TypeSpec.interfaceBuilder(self).addModifiers(Modifier.PUBLIC).addJavadoc(documentation(program));
        program.procedures().forEach(procedure -> type.addMethod(method(procedure)));
        return type.addMethod(service(program, self)).build();
    }

    private CodeBlock documentation(RemoteProgram program) {
        String name = "{@code " + program.program().name() + "} version "
                + program.version().number();
        return Javadoc.of("", "Answers " + name + (answersLater ? " asynchronously." : "."))
                .paragraph("Several calls can be in progress at once, on several threads.")
                .build();
    }

    private MethodSpec method(RemoteProcedure procedure) {
        MethodSpec.Builder method = MethodSpec.methodBuilder(procedure.method())
                .addModifiers(Modifier.PUBLIC, procedure.isNull() ? Modifier.DEFAULT : Modifier.ABSTRACT)
                .addJavadoc(documentation(procedure))
                .returns(answersLater ? stage(procedure) : procedure.returnType())
                .addException(Exception.class);
        procedure
                .parameters()
                .forEach(each -> method.addParameter(each.mapping().type(), each.name()));
        method.addParameter(Library.SERVER_CALL, "call");
        if (procedure.isNull() && answersLater) {
            method.addStatement("return $T.completedFuture(null)", CompletableFuture.class);
        }
        return method.build();
    }

    private static CodeBlock documentation(RemoteProcedure procedure) {
        String name = "{@code " + procedure.procedure().name() + "}";
        Javadoc javadoc = Javadoc.of(procedure.procedure().documentation(), "Answers " + name + ".");
        if (procedure.isNull()) {
            javadoc.paragraph("Does nothing, as the null procedure should.");
        }
        return javadoc.build();
    }

    private static TypeName stage(RemoteProcedure procedure) {
        return ParameterizedTypeName.get(ClassName.get(CompletionStage.class), procedure.resultType());
    }

    private MethodSpec service(RemoteProgram program, ClassName self) {
        TypeName anything = WildcardTypeName.subtypeOf(Object.class);
        TypeName handlers = ParameterizedTypeName.get(
                ClassName.get(Map.class),
                ClassName.get(Long.class),
                ParameterizedTypeName.get(Library.HANDLER, anything, anything));
        MethodSpec.Builder method = MethodSpec.methodBuilder("service")
                .addModifiers(Modifier.PUBLIC, Modifier.STATIC)
                .addJavadoc(Javadoc.sentence("The service that answers calls by {@code server}."))
                .returns(Library.SERVICE)
                .addParameter(self, "server")
                .addStatement("$T handlers = new $T<>()", handlers, HashMap.class);
        for (RemoteProcedure procedure : program.procedures()) {
            method.addCode(
                    "handlers.put($1T.$2L.number(), new $3T<>($1T.$2L, $4L));\n",
                    procedure.programClass(),
                    procedure.constant(),
                    Library.HANDLER,
                    answersLater ? call(procedure) : answerAtOnce(procedure));
        }
        ClassName programClass = self.peerClass(program.base());
        return method.addStatement(
                        "return new $1T($2S, $3T.PROGRAM, $3T.VERSION, handlers)",
                        Library.SERVICE,
                        program.program().name() + " version "
                                + program.version().number(),
                        programClass)
                .build();
    }

    private static CodeBlock answerAtOnce(RemoteProcedure procedure) {
        if (procedure.result().isEmpty()) {
            return CodeBlock.builder()
                    .add("(args, call) -> {\n$>")
                    .add("$L;\n", invocation(procedure))
                    .add("return $T.completedFuture(null);\n", CompletableFuture.class)
                    .add("$<}")
                    .build();
        }
        return CodeBlock.of("(args, call) -> $T.completedFuture($L)", CompletableFuture.class, invocation(procedure));
    }

    private static CodeBlock call(RemoteProcedure procedure) {
        return CodeBlock.of("(args, call) -> $L", invocation(procedure));
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
