// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.programs;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.emit.code.Javadoc;
import org.emplace.compiler.emit.code.Layout;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.emit.types.Methods;
import org.emplace.compiler.javamodel.RemoteProcedure.DestinationParameter;
import org.emplace.compiler.javamodel.RemoteProcedure;

/** Writes where the results of a call go: parameters, what they are handed on as, and a record of them where several lists would be confused. */
public final class DestinationsEmitter {
    private static final String ANYWHERE = "anywhere";
    private static final String BY_ITEM = "byItem";
    private static final TypeName DESTINATION = Library.DESTINATION.annotated(Library.nullable());

    private DestinationsEmitter() {}

    /** The parameters of a client's method. */
    public static List<ParameterSpec> parameters(RemoteProcedure procedure) {
        Optional<ParameterSpec> record = procedure
                .destinationsRecord()
                .map(name -> ParameterSpec.builder(Library.generated(name), "destinations")
                        .build());
        return record.map(List::of)
                .orElseGet(() -> procedure.destinations().stream()
                        .map(DestinationsEmitter::parameter)
                        .toList());
    }

    /** Their tags in Javadoc. */
    static CodeBlock tags(RemoteProcedure procedure) {
        return procedure.destinationsRecord().isPresent()
                ? CodeBlock.of("@param destinations where the DDP-eligible results go\n")
                : procedure.destinations().stream()
                        .map(DestinationsEmitter::tag)
                        .collect(CodeBlock.joining(""));
    }

    static CodeBlock tag(DestinationParameter destination) {
        return CodeBlock.of(
                "@param $L $L\n",
                destination.name(),
                destination.isList()
                        ? "where each DDP-eligible {@code " + destination.item()
                                + "} goes, by element; null for memory of the runtime"
                        : "where the DDP-eligible {@code " + destination.item()
                                + "} goes; null for memory of the runtime");
    }

    /** The parameters as the runtime takes them. */
    static CodeBlock handedOn(RemoteProcedure procedure) {
        if (procedure.destinations().isEmpty()) {
            return CodeBlock.of("$T.none()", Library.DESTINATIONS);
        }
        return procedure.destinationsRecord().isPresent()
                ? CodeBlock.of("destinations.$L()", BY_ITEM)
                : byItem(procedure.destinations());
    }

    private static CodeBlock byItem(List<DestinationParameter> all) {
        boolean hasList = all.stream().anyMatch(DestinationParameter::isList);
        List<CodeBlock> values = all.stream()
                .map(each -> hasList && !each.isList()
                        ? CodeBlock.of("$T.only($L)", Library.DESTINATIONS, each.name())
                        : CodeBlock.of("$L", each.name()))
                .toList();
        return CodeBlock.of("$T.$L$L", Library.DESTINATIONS, hasList ? "ofItems" : "of", Layout.innerArguments(values));
    }

    public static ParameterSpec parameter(DestinationParameter destination) {
        TypeName type = destination.isList()
                ? ParameterizedTypeName.get(ClassName.get(List.class), DESTINATION)
                        .annotated(Library.nullable())
                : DESTINATION;
        return ParameterSpec.builder(type, destination.name()).build();
    }

    /** The record of a procedure's destinations. */
    public static TypeSpec emit(RemoteProcedure procedure, ClassName self) {
        List<DestinationParameter> all = procedure.destinations();
        MethodSpec.Builder components = MethodSpec.constructorBuilder();
        all.forEach(each -> components.addParameter(parameter(each)));
        TypeSpec.Builder type = TypeSpec.recordBuilder(self)
                .recordConstructor(components.build())
                .addModifiers(Modifier.PUBLIC)
                .addJavadoc(Javadoc.sentence("Where the DDP-eligible results of {@code "
                        + procedure.procedure().name() + "} go. Begin with {@link #" + ANYWHERE + "}."))
                .addJavadoc("\n$L", all.stream().map(DestinationsEmitter::tag).collect(CodeBlock.joining("")))
                .addMethod(Methods.described(ANYWHERE, "The runtime provides all memory.", self, Modifier.STATIC)
                        .addStatement(
                                "return new $T($L)", self, String.join(", ", Collections.nCopies(all.size(), "null")))
                        .build());
        for (DestinationParameter each : all) {
            type.addMethod(Methods.described(each.wither(), "Sets where {@code " + each.item() + "} goes.", self)
                    .addParameter(parameter(each))
                    .addStatement(
                            "return new $T$L",
                            self,
                            Layout.arguments(all.stream()
                                    .map(one -> CodeBlock.of("$L", one.name()))
                                    .toList()))
                    .build());
        }
        return type.addMethod(MethodSpec.methodBuilder(BY_ITEM)
                        .returns(Library.DESTINATIONS)
                        .addStatement("return $L", byItem(all))
                        .build())
                .build();
    }
}
