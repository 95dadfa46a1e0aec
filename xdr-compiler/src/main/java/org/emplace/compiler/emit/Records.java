// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeSpec;
import java.util.List;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.javamodel.Component;

/** Records with checked components. */
final class Records {
    private Records() {}

    /** A record whose constructor checks what the components' types do not say. */
    static TypeSpec.Builder builder(ClassName name, List<Component> components) {
        return builder(name, components, CodeBlock.of(""));
    }

    /** @param firstChecks statements of the constructor before those for the components */
    static TypeSpec.Builder builder(ClassName name, List<Component> components, CodeBlock firstChecks) {
        boolean isChecked = !firstChecks.isEmpty() || components.stream().anyMatch(Component::isChecked);
        MethodSpec.Builder constructor =
                isChecked ? MethodSpec.compactConstructorBuilder() : MethodSpec.constructorBuilder();
        components.forEach(
                each -> constructor.addParameter(Mapping.of(each.type()).type(), each.name()));
        if (isChecked) {
            constructor
                    .addModifiers(Modifier.PUBLIC)
                    .addJavadoc(checks(components, firstChecks))
                    .addCode(firstChecks);
            components.stream()
                    .filter(Component::isChecked)
                    .forEach(each -> constructor.addCode(Mapping.of(each.type()).check(each.name(), each.name())));
        }
        return TypeSpec.recordBuilder(name).recordConstructor(constructor.build());
    }

    private static CodeBlock checks(List<Component> components, CodeBlock firstChecks) {
        boolean bounds = components.stream().anyMatch(each -> each.type().isBounded());
        boolean copies = components.stream().anyMatch(each -> each.type().isCopied());
        if (!firstChecks.isEmpty()) {
            return CodeBlock.of(
                    "Checks the discriminant$L.\n\n@throws IllegalArgumentException if it selects another arm$L\n",
                    bounds ? " and the bounds" : "",
                    bounds ? ", or a value is out of bounds" : "");
        }
        if (!bounds) {
            return Javadoc.sentence("Copies the lists.");
        }
        return CodeBlock.of(
                "Checks the bounds$L.\n\n@throws IllegalArgumentException if a value is out of bounds\n",
                copies ? " and copies the lists" : "");
    }

    /** The {@code @param} tags for the components that the source comments on. */
    static CodeBlock parameters(List<Component> components) {
        CodeBlock.Builder tags = CodeBlock.builder();
        components.stream()
                .filter(each -> !each.field().documentation().isBlank())
                .forEach(each -> tags.add(
                        "@param $L $L\n",
                        each.name(),
                        Javadoc.inLine(each.field().documentation())));
        return tags.isEmpty() ? tags.build() : CodeBlock.of("\n$L", tags.build());
    }
}
