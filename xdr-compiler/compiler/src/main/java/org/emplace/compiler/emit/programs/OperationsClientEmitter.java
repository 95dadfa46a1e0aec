// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.programs;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import java.util.List;
import java.util.function.Function;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.emit.code.Javadoc;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.emit.types.DiscriminantCode;
import org.emplace.compiler.emit.types.Methods;
import org.emplace.compiler.emit.types.Signature;
import org.emplace.compiler.javamodel.Component;
import org.emplace.compiler.javamodel.RemoteOperations.ArmStatus;
import org.emplace.compiler.javamodel.RemoteOperations;

/** Writes the class of a call that is built operation by operation. */
public final class OperationsClientEmitter {
    private final RemoteOperations model;
    private final ClassName self;
    private final TypeName argument;
    private final TypeName result;
    private final TypeName results;

    public OperationsClientEmitter(RemoteOperations model) {
        this.model = model;
        this.self = Library.generated(model.call());
        this.argument = Library.generated(model.argument().name());
        this.result = Library.generated(model.result().name());
        this.results = Signature.result(model.procedure());
    }

    public TypeSpec emit() {
        TypeSpec.Builder type = TypeSpec.classBuilder(self)
                .addModifiers(Modifier.PUBLIC, Modifier.FINAL)
                .addJavadoc(documentation())
                .addField(caller(), "caller", Modifier.PRIVATE, Modifier.FINAL)
                .addField(list(), "operations", Modifier.PRIVATE, Modifier.FINAL)
                .addMethod(constructor());
        OperationMethodEmitter methods = new OperationMethodEmitter(model);
        model.operations().forEach(operation -> type.addMethod(methods.emit(operation)));
        return type.addMethod(start()).addMethod(await()).addMethod(statusOf()).build();
    }

    private MethodSpec constructor() {
        return MethodSpec.constructorBuilder()
                .addParameter(caller(), "caller")
                .addStatement("this.caller = caller")
                .addStatement(
                        "this.operations = new $T<>($S, $T::statusOf, $L)",
                        Library.OPERATION_LIST,
                        model.procedure().procedure().name(),
                        self,
                        success(model))
                .build();
    }

    private CodeBlock documentation() {
        return Javadoc.of(
                        "",
                        "A call of {@code " + model.procedure().procedure().name()
                                + "}, built operation by operation.\nThe server runs the operations in order until one fails.")
                .paragraph("Not thread-safe. Each object makes one call.\n"
                        + "Once the call has completed, any thread may read the results of its operations.")
                .build();
    }

    private TypeName list() {
        return ParameterizedTypeName.get(Library.OPERATION_LIST, argument, result);
    }

    private TypeName caller() {
        return ParameterizedTypeName.get(ClassName.get(Function.class), list(), call());
    }

    private TypeName call() {
        return ParameterizedTypeName.get(Library.CALL, results);
    }

    static CodeBlock success(RemoteOperations model) {
        return CodeBlock.of("$T.$L", Library.generated(model.status()), model.success());
    }

    private MethodSpec start() {
        return MethodSpec.methodBuilder("start")
                .addModifiers(Modifier.PUBLIC)
                .addJavadoc("Starts the call without waiting for its results.\n\n")
                .addJavadoc("@throws IllegalStateException if the call has been started\n")
                .returns(call())
                .addStatement(
                        "return operations.start(caller, $T::$L)",
                        results,
                        model.resultArray().name())
                .build();
    }

    private MethodSpec await() {
        return MethodSpec.methodBuilder("await")
                .addModifiers(Modifier.PUBLIC)
                .addJavadoc("Makes the call and waits for its results. It does not throw if an operation fails.\n\n")
                .addJavadoc("@throws IllegalStateException if the call has been started\n")
                .returns(results)
                .addException(Library.RPC_EXCEPTION)
                .addException(InterruptedException.class)
                .addStatement("return start().await()")
                .build();
    }

    private MethodSpec statusOf() {
        DiscriminantCode discriminant = new DiscriminantCode(model.result().discriminant());
        CodeBlock.Builder cases = CodeBlock.builder();
        for (ArmStatus each : model.statuses()) {
            cases.add(
                    "$L -> (($T) result).$L();\n",
                    discriminant.label(each.arm()),
                    Library.generated(each.arm().name()),
                    String.join("().", each.accessors()));
        }
        if (model.statuses().stream().noneMatch(each -> each.arm().isDefault())) {
            cases.add("default -> $L;\n", success(model));
        }
        CodeBlock selector = discriminant.selector(CodeBlock.of("result.$L()", discriminant.name()));
        return MethodSpec.methodBuilder("statusOf")
                .addModifiers(Modifier.STATIC)
                .addJavadoc(Javadoc.sentence("The status of one result."))
                .returns(Library.generated(model.status()))
                .addParameter(result, "result")
                .addCode("return switch ($L) {\n$>$L$<};\n", selector, cases.build())
                .build();
    }

    /** The client's method that begins such a call. */
    MethodSpec factory() {
        List<String> names = model.others().stream().map(Component::name).toList();
        CodeBlock arguments = model.arguments().stream()
                .map(each -> CodeBlock.of("$L", each.equals(model.array()) ? "each.arguments()" : each.name()))
                .collect(CodeBlock.joining(", "));
        return MethodSpec.methodBuilder(model.procedure().method())
                .addModifiers(Modifier.PUBLIC)
                .addJavadoc(Javadoc.sentence("A call of {@code "
                        + model.procedure().procedure().name() + "} without operations, which its methods add."))
                .returns(self)
                .addParameters(Signature.parameters(model.others()))
                .addStatement(
                        "return new $T(each -> $L.call(\n$T.$L,\nnew $T($L),\neach.destinations(),\n$L))",
                        self,
                        Methods.field("connection", names),
                        Library.generated(model.procedure().programClass()),
                        model.procedure().constant(),
                        Library.generated(model.holder()),
                        arguments,
                        Methods.field("options", names))
                .build();
    }
}
