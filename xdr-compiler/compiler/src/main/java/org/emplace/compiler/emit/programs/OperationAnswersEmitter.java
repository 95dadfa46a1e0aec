// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.programs;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.emit.code.Layout;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.emit.types.DiscriminantCode;
import org.emplace.compiler.javamodel.RemoteOperations.Operation;
import org.emplace.compiler.javamodel.RemoteOperations;
import org.emplace.compiler.javamodel.UnionArm;

/** Writes the method that passes one operation of a call to the server's method for it. */
record OperationAnswersEmitter(RemoteOperations model) {

    /** @param context the type of the context that the operations of a call share */
    MethodSpec emit(TypeName context) {
        DiscriminantCode discriminant = new DiscriminantCode(model.argument().discriminant());
        CodeBlock asked = CodeBlock.of("operation.$L()", discriminant.name());
        CodeBlock.Builder cases = CodeBlock.builder();
        for (Operation operation : model.operations()) {
            cases.add("case $L -> $L", discriminant.label(operation.discriminant()), answer(operation));
        }
        return MethodSpec.methodBuilder("answer")
                .addModifiers(Modifier.PRIVATE)
                .returns(Library.generated(model.result().name()))
                .addParameter(Library.generated(model.argument().name()), "operation")
                .addParameter(context, "context")
                .addException(Exception.class)
                .beginControlFlow("try")
                .addCode("return switch ($L) {\n$>$L", discriminant.selector(asked), cases.build())
                .addCode(
                        "default -> throw new $T($T.valueOf($L));\n",
                        Library.OPERATION_UNAVAILABLE,
                        String.class,
                        asked)
                .addCode("$<};\n")
                .nextControlFlow("catch ($T unavailable)", Library.OPERATION_UNAVAILABLE)
                .addCode(otherwise(asked))
                .endControlFlow()
                .build();
    }

    private CodeBlock otherwise(CodeBlock asked) {
        String method = String.join(".", model.server().simpleNames()) + ".otherwise";
        List<CodeBlock> message = List.of(
                CodeBlock.of("$S", method + " answered "),
                asked,
                CodeBlock.of("$S", " with " + model.success() + ", but must answer with a status of failure"));
        return CodeBlock.builder()
                .addStatement(
                        "$T result = otherwise(operation, context)",
                        Library.generated(model.result().name()))
                .beginControlFlow(
                        "if ($T.statusOf(result).equals($L))",
                        Library.generated(model.call()),
                        OperationsClientEmitter.success(model))
                .addStatement("throw new $T($L)", IllegalStateException.class, Layout.operands(message, "+"))
                .endControlFlow()
                .addStatement("return result")
                .build();
    }

    /** The right side of an operation's case. */
    private CodeBlock answer(Operation operation) {
        UnionArm arm = operation.argument();
        List<CodeBlock> asked = Stream.concat(
                        arm.value().stream()
                                .map(held -> CodeBlock.of(
                                        "(($T) operation).$L()", Library.generated(arm.name()), held.name())),
                        Stream.of(CodeBlock.of("context")))
                .toList();
        CodeBlock call = CodeBlock.of("$L$L", operation.method(), Layout.innerArguments(asked));
        List<CodeBlock> answered = new ArrayList<>();
        if (operation.answer().keepsDiscriminant()) {
            answered.add(new DiscriminantCode(model.result().discriminant()).value(operation.discriminant()));
        }
        boolean isVoid = operation.answer().value().isEmpty();
        if (!isVoid) {
            answered.add(call);
        }
        CodeBlock result = CodeBlock.of(
                "new $T$L",
                Library.generated(operation.answer().name()),
                answered.isEmpty() ? "()" : Layout.arguments(answered));
        return isVoid ? CodeBlock.of("{\n$>$L;\nyield $L;\n$<}\n", call, result) : CodeBlock.of("$L;\n", result);
    }
}
