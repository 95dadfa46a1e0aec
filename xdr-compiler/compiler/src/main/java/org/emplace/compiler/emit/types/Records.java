// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.types;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.emit.code.Contract;
import org.emplace.compiler.emit.code.Javadoc;
import org.emplace.compiler.emit.mappings.Mapping;
import org.emplace.compiler.javamodel.Component;

/** Records with checked components. */
public final class Records {
    private Records() {}

    /** A record whose constructor checks what the components' types do not express. */
    public static TypeSpec.Builder builder(ClassName name, List<Component> components) {
        return builder(name, components, Set.of(), CodeBlock.of(""));
    }

    /**
     * The same for a record with nested classes, or with a discriminant.
     *
     * @param inside the names of the nested classes, which hide classes of the same name from the components
     * @param discriminantCheck statements of the constructor that follow those for the components
     */
    public static TypeSpec.Builder builder(
            ClassName name, List<Component> components, Set<String> inside, CodeBlock discriminantCheck) {
        boolean isChecked = !discriminantCheck.isEmpty() || components.stream().anyMatch(Component::isChecked);
        MethodSpec.Builder constructor =
                isChecked ? MethodSpec.compactConstructorBuilder() : MethodSpec.constructorBuilder();
        components.forEach(each ->
                constructor.addParameter(visible(Mapping.of(each.type()).type(), name, inside), each.name()));
        if (isChecked) {
            constructor.addModifiers(Modifier.PUBLIC).addJavadoc(contract(components, !discriminantCheck.isEmpty()));
            components.stream().filter(Component::isChecked).forEach(each -> constructor.addCode(check(each)));
            constructor.addCode(discriminantCheck);
        }
        return TypeSpec.recordBuilder(name).recordConstructor(constructor.build());
    }

    /**
     * Qualifies a type that a nested class of the record hides. JavaPoet resolves a record's components outside of it, but javac resolves them
     * inside.
     */
    private static TypeName visible(TypeName type, ClassName record, Set<String> inside) {
        if (type instanceof ParameterizedTypeName parameterized) {
            return ParameterizedTypeName.get(
                    parameterized.rawType(),
                    parameterized.typeArguments().stream()
                            .map(each -> visible(each, record, inside))
                            .toArray(TypeName[]::new));
        }
        boolean isHidden = type instanceof ClassName name
                && inside.contains(name.topLevelClassName().simpleName())
                && !name.topLevelClassName().equals(record.topLevelClassName());
        return isHidden ? ClassName.get("", ((ClassName) type).canonicalName()) : type;
    }

    /** Checks a component. Statements that check a bound or copy also reject null. */
    private static CodeBlock check(Component component) {
        return component.type().isBounded() || component.type().isCopied()
                ? Mapping.of(component.type()).check(component.name(), component.name())
                : CodeBlock.builder()
                        .addStatement(Mapping.required(CodeBlock.of("$L", component.name()), component.name()))
                        .build();
    }

    /** What a constructor does besides rejecting null, which every one does (the contract of {@code XdrValue}). */
    private static CodeBlock contract(List<Component> components, boolean hasDiscriminant) {
        boolean bounds = components.stream().anyMatch(each -> each.type().isBounded());
        boolean copies = components.stream().anyMatch(each -> each.type().isCopied());
        List<String> illegal = selected(
                hasDiscriminant, "the discriminant selects another arm", bounds, "a component is out of bounds");
        if (illegal.isEmpty()) {
            return copies ? Javadoc.sentence("Copies the lists.") : CodeBlock.of("");
        }
        List<String> checked = selected(hasDiscriminant, "the discriminant", bounds, "the bounds of the components");
        return CodeBlock.of(
                "Checks $L$L.\n\n@throws IllegalArgumentException if $L\n",
                String.join(" and ", checked),
                copies ? " and copies the lists" : "",
                String.join(" or ", illegal));
    }

    private static List<String> selected(boolean isFirst, String first, boolean isSecond, String second) {
        return Stream.concat(isFirst ? Stream.of(first) : Stream.of(), isSecond ? Stream.of(second) : Stream.of())
                .toList();
    }

    /** The parameter tags of the components whose names and types do not say everything. */
    public static CodeBlock parameters(List<Component> components) {
        CodeBlock tags = tags(components);
        return tags.isEmpty() ? tags : CodeBlock.of("\n$L", tags);
    }

    /** These tags alone, without an empty line before them. */
    public static CodeBlock tags(List<Component> components) {
        CodeBlock.Builder tags = CodeBlock.builder();
        for (Component each : components) {
            String description = Contract.description(each);
            if (!description.isEmpty()) {
                tags.add("@param $L $L\n", each.name(), description);
            }
        }
        return tags.build();
    }
}
