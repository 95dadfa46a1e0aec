// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.javamodel.Component;
import org.emplace.compiler.javamodel.Discriminant;
import org.emplace.compiler.javamodel.JavaType;
import org.emplace.compiler.javamodel.RemoteOperations;
import org.emplace.compiler.javamodel.RemoteOperations.Operation;
import org.emplace.compiler.javamodel.UnionArm;

/** The method that has one operation of a call answered by the server's method for it. */
record OperationAnswersEmitter(RemoteOperations model) {

    /** @param context the type of what the operations of a call share */
    MethodSpec emit(TypeName context) {
        MethodSpec.Builder method = MethodSpec.methodBuilder("answer")
                .addModifiers(Modifier.PRIVATE)
                .returns(Library.generated(model.result().name()))
                .addParameter(Library.generated(model.argument().name()), "operation")
                .addParameter(context, "context")
                .addException(Exception.class)
                .beginControlFlow("try");
        for (Operation operation : model.operations()) {
            method.beginControlFlow("if ($L)", isAsked(operation))
                    .addCode(answer(operation))
                    .endControlFlow();
        }
        return method.nextControlFlow("catch ($T unavailable)", Library.OPERATION_UNAVAILABLE)
                .addStatement("return otherwise(operation, context)")
                .endControlFlow()
                .addStatement("return otherwise(operation, context)")
                .build();
    }

    private CodeBlock isAsked(Operation operation) {
        UnionArm arm = operation.argument();
        CodeBlock isArm = CodeBlock.of(
                "operation instanceof $T$L",
                Library.generated(arm.name()),
                operation.content().isPresent() ? " arm" : "");
        return arm.keepsDiscriminant() ? CodeBlock.of("$L && $L", isArm, isSelected(operation)) : isArm;
    }

    private CodeBlock isSelected(Operation operation) {
        Discriminant discriminant = model.argument().discriminant();
        CodeBlock value = new DiscriminantCode(discriminant).value(operation.discriminant());
        String comparison = discriminant.component().type() instanceof JavaType.Scalar
                ? "operation.$L() == $L"
                : "operation.$L().equals($L)";
        return CodeBlock.of(comparison, discriminant.name(), value);
    }

    private CodeBlock answer(Operation operation) {
        CodeBlock call = CodeBlock.of(
                "$L($Lcontext)",
                operation.method(),
                operation
                        .argument()
                        .value()
                        .map(Component::name)
                        .map(name -> "arm." + name + "(), ")
                        .orElse(""));
        CodeBlock discriminant = operation.answer().keepsDiscriminant()
                ? new DiscriminantCode(model.result().discriminant()).value(operation.discriminant())
                : CodeBlock.of("");
        boolean isVoid = operation.answer().value().isEmpty();
        CodeBlock.Builder code = CodeBlock.builder();
        if (isVoid) {
            code.addStatement("$L", call);
        }
        String comma = isVoid || discriminant.isEmpty() ? "" : ", ";
        return code.addStatement(
                        "return new $T($L$L$L)",
                        Library.generated(operation.answer().name()),
                        discriminant,
                        comma,
                        isVoid ? "" : call)
                .build();
    }
}
