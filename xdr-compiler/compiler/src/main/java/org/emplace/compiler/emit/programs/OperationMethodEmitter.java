// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.programs;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.emit.code.Contract;
import org.emplace.compiler.emit.code.Javadoc;
import org.emplace.compiler.emit.code.Layout;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.emit.mappings.Mapping;
import org.emplace.compiler.emit.types.DiscriminantCode;
import org.emplace.compiler.emit.types.Methods;
import org.emplace.compiler.emit.types.Signature;
import org.emplace.compiler.javamodel.Component;
import org.emplace.compiler.javamodel.RemoteOperations.Operation;
import org.emplace.compiler.javamodel.RemoteOperations;
import org.emplace.compiler.javamodel.RemoteProcedure.DestinationParameter;

/** Writes the method that adds one operation to a call. */
record OperationMethodEmitter(RemoteOperations model) {

    MethodSpec emit(Operation operation) {
        TypeName value = operation
                .value()
                .component()
                .map(each -> Mapping.of(each.type()).type().box())
                .orElse(ClassName.get(Void.class));
        MethodSpec.Builder method = MethodSpec.methodBuilder(operation.method())
                .addModifiers(Modifier.PUBLIC)
                .addJavadoc(documentation(operation))
                .returns(ParameterizedTypeName.get(Library.OPERATION_RESULT, value));
        method.addParameters(Signature.parameters(operation.parameters()));
        operation.destinations().forEach(each -> method.addParameter(DestinationsEmitter.parameter(each)));
        List<String> names =
                operation.parameters().stream().map(Component::name).toList();
        return method.addStatement(
                        "return $L.add(\n$S,\n$L,\n$T.class,\n$L$L)",
                        Methods.field("operations", names),
                        operation.label(),
                        made(operation),
                        Library.generated(operation.answer().name()),
                        value(operation),
                        destinations(operation))
                .build();
    }

    private static CodeBlock documentation(Operation operation) {
        CodeBlock.Builder tags = CodeBlock.builder();
        for (Component each : operation.parameters()) {
            String description = operation.isFlattened() ? Contract.description(each) : Contract.of(each.type());
            if (!description.isEmpty()) {
                tags.add("@param $L $L\n", each.name(), description);
            }
        }
        for (DestinationParameter each : operation.destinations()) {
            tags.add(DestinationsEmitter.tag(each));
        }
        CodeBlock text = Javadoc.with(operation.documentation(), "Adds {@code " + operation.label() + "}.")
                .build();
        return tags.isEmpty() ? text : CodeBlock.of("$L\n$L", text, tags.build());
    }

    private CodeBlock made(Operation operation) {
        List<CodeBlock> components = new ArrayList<>();
        if (operation.argument().keepsDiscriminant()) {
            components.add(new DiscriminantCode(model.argument().discriminant()).value(operation.discriminant()));
        }
        List<CodeBlock> parameters = operation.parameters().stream()
                .map(each -> CodeBlock.of("$L", each.name()))
                .toList();
        if (operation.isFlattened()) {
            TypeName struct =
                    Mapping.of(operation.content().orElseThrow().type()).type();
            components.add(CodeBlock.of("new $T$L", struct, Layout.arguments(parameters)));
        } else {
            components.addAll(parameters);
        }
        return CodeBlock.of(
                "new $T($L)", Library.generated(operation.argument().name()), CodeBlock.join(components, ", "));
    }

    /** An expression for an operation's value. No parameter is called {@code each}. */
    private static CodeBlock value(Operation operation) {
        if (operation.value().component().isEmpty()) {
            return CodeBlock.of("each -> null");
        }
        String component = operation.value().component().get().name();
        return operation
                .value()
                .within()
                .map(within -> CodeBlock.of(
                        "each -> (($T) each.$L()).$L()",
                        Library.generated(within.name()),
                        operation.answer().value().orElseThrow().name(),
                        component))
                .orElseGet(() -> CodeBlock.of(
                        "$T::$L", Library.generated(operation.answer().name()), component));
    }

    private static CodeBlock destinations(Operation operation) {
        return operation.destinations().stream()
                .map(each -> CodeBlock.of(",\nnew $T($L, $L)", Library.PLACE, each.number(), each.name()))
                .collect(CodeBlock.joining(""));
    }
}
