// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.programs;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import com.palantir.javapoet.TypeVariableName;
import com.palantir.javapoet.WildcardTypeName;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.emit.code.Javadoc;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.emit.mappings.Mapping;
import org.emplace.compiler.emit.types.Methods;
import org.emplace.compiler.emit.types.Signature;
import org.emplace.compiler.javamodel.Component;
import org.emplace.compiler.javamodel.RemoteOperations.Operation;
import org.emplace.compiler.javamodel.RemoteOperations;

/** Writes the interface of a server with a method for each operation, and the code that runs the operations in order. */
public final class OperationsServerEmitter {
    private final RemoteOperations model;
    private final TypeVariableName context;
    private final TypeName argument;
    private final TypeName result;
    private final TypeName results;
    private final TypeName status;

    public OperationsServerEmitter(RemoteOperations model) {
        this.model = model;
        this.context = TypeVariableName.get(model.context());
        this.argument = Library.generated(model.argument().name());
        this.result = Library.generated(model.result().name());
        this.results = Signature.result(model.procedure());
        this.status = Library.generated(model.status());
    }

    public TypeSpec emit() {
        TypeSpec.Builder type = TypeSpec.interfaceBuilder(Library.generated(model.server()))
                .addModifiers(Modifier.PUBLIC)
                .addTypeVariable(context)
                .addJavadoc(documentation())
                .addMethod(begin())
                .addMethod(finish())
                .addMethod(otherwise());
        model.operations().forEach(operation -> type.addMethod(method(operation)));
        return type.addMethod(run())
                .addMethod(new OperationAnswersEmitter(model).emit(context))
                .addMethod(server())
                .build();
    }

    private CodeBlock documentation() {
        String procedure = model.procedure().procedure().name();
        return CodeBlock.of(
                "$L\n@param <$T> the context that the operations of one call share\n",
                Javadoc.of("", "Answers the operations of {@code " + procedure + "}, one method each.")
                        .paragraph(
                                "{@link #run} calls them in order. {@link #server} makes a server that answers this procedure so.\n"
                                        + "Methods may be called by several threads at the same time, those for one call by one thread.")
                        .paragraph("An operation whose method is not overridden is answered by {@link #otherwise}.")
                        .build(),
                context);
    }

    private MethodSpec begin() {
        return toImplement("begin", "Makes the context that the operations of one call share.")
                .returns(context)
                .addParameters(ServerEmitter.parameters(model.procedure()))
                .build();
    }

    private MethodSpec finish() {
        return toImplement("finish", "Makes the results of a call.")
                .addJavadoc(
                        "\n@param status the status of the last operation that was run; success if there was none\n")
                .addJavadoc("@param results the results of the operations that were run, in order\n")
                .returns(results)
                .addParameter(status, "status")
                .addParameter(ParameterizedTypeName.get(ClassName.get(List.class), result), "results")
                .addParameter(context, "context")
                .build();
    }

    private MethodSpec otherwise() {
        return toImplement(
                        "otherwise",
                        "Answers an operation that has no method here, or whose method throws\n{@link org.emplace.rpc.OperationUnavailableException}.")
                .returns(result)
                .addParameter(argument, "operation")
                .addParameter(context, "context")
                .build();
    }

    private static MethodSpec.Builder toImplement(String name, String sentence) {
        return MethodSpec.methodBuilder(name)
                .addModifiers(Modifier.PUBLIC, Modifier.ABSTRACT)
                .addJavadoc(Javadoc.sentence(sentence))
                .addException(Exception.class);
    }

    private MethodSpec method(Operation operation) {
        TypeName answer = operation
                .answer()
                .value()
                .map(each -> Mapping.of(each.type()).type())
                .orElse(TypeName.VOID);
        MethodSpec.Builder method = MethodSpec.methodBuilder(operation.method())
                .addModifiers(Modifier.PUBLIC, Modifier.DEFAULT)
                .addJavadoc(Javadoc.with(operation.documentation(), "Answers {@code " + operation.label() + "}.")
                        .build())
                .returns(answer)
                .addException(Exception.class);
        operation
                .content()
                .ifPresent(each -> method.addParameter(Mapping.of(each.type()).type(), each.name()));
        List<String> names = operation.content().stream().map(Component::name).toList();
        return method.addParameter(context, Methods.unused("context", names))
                .addStatement("throw new $T($S)", Library.OPERATION_UNAVAILABLE, operation.label())
                .build();
    }

    private MethodSpec run() {
        CodeBlock success = OperationsClientEmitter.success(model);
        List<ParameterSpec> parameters = ServerEmitter.parameters(model.procedure());
        List<String> names = parameters.stream().map(ParameterSpec::name).toList();
        String shared = Methods.unused("context", names);
        String last = Methods.unused("status", names);
        String all = Methods.unused("results", names);
        String one = Methods.unused("result", names);
        return Methods.described(
                        "run",
                        "Answers a call: runs its operations in order until one fails.",
                        results,
                        Modifier.DEFAULT)
                .addParameters(parameters)
                .addException(Exception.class)
                .addStatement("$T $L = begin($L)", context, shared, String.join(", ", names))
                .addStatement("$T $L = $L", status, last, success)
                .addStatement("$1T<$2T> $3L = new $4T<>()", List.class, result, all, ArrayList.class)
                .beginControlFlow("for ($T each : $L)", argument, operations())
                .addStatement("$T $L = answer(each, $L)", result, one, shared)
                .addStatement("$L.add($L)", all, one)
                .addStatement("$L = $T.statusOf($L)", last, Library.generated(model.call()), one)
                .beginControlFlow("if (!$L.equals($L))", last, success)
                .addStatement("break")
                .endControlFlow()
                .endControlFlow()
                .addStatement("return finish($L, $L, $L)", last, all, shared)
                .build();
    }

    /** The parameter of the server's method that is the array of operations. */
    private CodeBlock operations() {
        String array = model.array().name();
        return model.procedure().argumentRecord().isPresent()
                ? CodeBlock.of("$L", array)
                : CodeBlock.of("$L.$L()", model.procedure().parameters().get(0).name(), array);
    }

    private MethodSpec server() {
        List<ParameterSpec> parameters = ServerEmitter.parameters(model.procedure());
        List<String> names = parameters.stream().map(ParameterSpec::name).toList();
        String operations = Methods.unused("operations", names);
        ClassName server = Library.generated(model.plainServer());
        TypeSpec adapter = TypeSpec.anonymousClassBuilder("")
                .addSuperinterface(server)
                .addMethod(MethodSpec.methodBuilder(model.procedure().method())
                        .addAnnotation(Override.class)
                        .addModifiers(Modifier.PUBLIC)
                        .returns(results)
                        .addParameters(parameters)
                        .addException(Exception.class)
                        .addStatement("return $L.run($L)", operations, String.join(", ", names))
                        .build())
                .build();
        return Methods.described(
                        "server",
                        "A server that has only this procedure, beside the null procedure.",
                        server,
                        Modifier.STATIC)
                .addParameter(
                        ParameterizedTypeName.get(
                                Library.generated(model.server()), WildcardTypeName.subtypeOf(Object.class)),
                        operations)
                .addStatement("return $L", adapter)
                .build();
    }
}
