// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.programs;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.binding.ChunkPlan.Size;
import org.emplace.compiler.emit.code.Javadoc;
import org.emplace.compiler.emit.code.Layout;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.emit.code.Literals;
import org.emplace.compiler.emit.mappings.Mapping;
import org.emplace.compiler.emit.mappings.NumbersMapping;
import org.emplace.compiler.emit.mappings.OptionalNumberMapping;
import org.emplace.compiler.emit.types.DiscriminantCode;
import org.emplace.compiler.emit.types.Signature;
import org.emplace.compiler.javamodel.Component;
import org.emplace.compiler.javamodel.JavaClass;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.javamodel.JavaType;
import org.emplace.compiler.javamodel.RemoteProcedure;
import org.emplace.compiler.javamodel.UnionArm;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition.Union;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType.Primitive;
import org.emplace.compiler.model.XdrType;

/** Writes the sizes of results that depend on the arguments, or on one element of an array in the arguments. */
final class ElementSizes {
    private final JavaModel model;
    private final Protocol protocol;

    ElementSizes(JavaModel model) {
        this.model = model;
        this.protocol = model.protocol();
    }

    /** The value at the end of a path, and the conditions under which it exists. */
    private record Found(List<CodeBlock> conditions, CodeBlock value, XdrType type) {}

    /** An expression for the largest of the sizes of arrays in the arguments. */
    CodeBlock count(RemoteProcedure procedure, Set<List<String>> arrays) {
        return arrays.stream()
                .map(path ->
                        CodeBlock.of("$L.size()", inArguments(procedure, path).value()))
                .reduce((a, b) -> CodeBlock.of("$T.max($L, $L)", Math.class, a, b))
                .orElseThrow();
    }

    /** The method that returns the size that belongs to an element of an array in the arguments. */
    MethodSpec method(String name, String place, RemoteProcedure procedure, Size size) {
        Found array = inArguments(procedure, size.elementsOf().orElseThrow());
        TypeName element = Mapping.of(model.type(array.type())) instanceof NumbersMapping numbers
                ? numbers.elementType()
                : Mapping.of(((JavaType.Array) model.type(array.type())).element())
                        .type();
        Found found = inElement(size, ((XdrType.Array) array.type()).element());
        CodeBlock absent = CodeBlock.of("$T.ABSENT", Library.RESULT_ORDER);
        MethodSpec.Builder method = MethodSpec.methodBuilder(name)
                .addModifiers(Modifier.PRIVATE, Modifier.STATIC)
                .addJavadoc(Javadoc.sentence(
                        "The largest size of {@code " + place + "} in bytes, in the element with this index."))
                .returns(TypeName.LONG)
                .addParameter(Signature.argument(procedure), "args")
                .addParameter(TypeName.INT, "index")
                .beginControlFlow("if (index >= $L.size())", array.value())
                .addStatement("return $L", absent)
                .endControlFlow();
        method.addStatement("$T each = $L.get(index)", element, array.value());
        return found.conditions().isEmpty()
                ? method.addStatement("return $L", found.value()).build()
                : method.addStatement(
                                "return $L",
                                Layout.choice(CodeBlock.join(found.conditions(), " && "), found.value(), absent))
                        .build();
    }

    /** An expression for a size that a number in the arguments determines. */
    CodeBlock number(RemoteProcedure procedure, Size.FromArgument size) {
        return number(inArguments(procedure, size.path()), size.plus());
    }

    /** The number as a long, never negative, whatever the peer sent. */
    private static CodeBlock number(Found found, long plus) {
        CodeBlock value = found.type() == Primitive.INT
                ? CodeBlock.of("$T.max($L, 0L)", Math.class, found.value())
                : found.value();
        return plus == 0 ? value : CodeBlock.of("$L + $L", value, Literals.number(plus));
    }

    private Found inArguments(RemoteProcedure procedure, List<String> path) {
        CodeBlock args = CodeBlock.of("args");
        List<Component> parameters = procedure.parameters();
        if (procedure.argumentRecord().isEmpty()) {
            return follow(args, parameters.get(0).field().type(), path);
        }
        Component argument = parameters.stream()
                .filter(each -> each.field().name().equals(path.get(0)))
                .findFirst()
                .orElseThrow();
        CodeBlock value = CodeBlock.of("$L.$L()", args, argument.name());
        return follow(value, argument.field().type(), path.subList(1, path.size()));
    }

    /** The size in the variable {@code each}, and the conditions under which the element has it. */
    private Found inElement(Size size, XdrType element) {
        CodeBlock each = CodeBlock.of("each");
        if (size instanceof Size.PerElement same) {
            int last = same.discriminant().size() - 1;
            Found holder = follow(each, element, same.discriminant().subList(0, last));
            return new Found(
                    and(holder.conditions(), isSelected(holder, same.selected().value())),
                    CodeBlock.of("$L", Literals.number(same.bytes())),
                    holder.type());
        }
        Size.FromElements elements = (Size.FromElements) size;
        Found found = follow(each, element, elements.path());
        return new Found(found.conditions(), number(found, elements.plus()), found.type());
    }

    private CodeBlock isSelected(Found holder, long selected) {
        String name = ((XdrType.Reference) holder.type()).name();
        Optional<JavaClass> union = model.classOf(name);
        if (union.isEmpty()) {
            boolean isPresent = ((Union) protocol.type(name))
                    .arm(selected)
                    .flatMap(TypeDefinition.Arm::field)
                    .isPresent();
            return CodeBlock.of("$L.$L()", holder.value(), isPresent ? "isPresent" : "isEmpty");
        }
        DiscriminantCode discriminant = new DiscriminantCode(((JavaClass.Union) union.get()).discriminant());
        return CodeBlock.of("$L.$L() == $L", holder.value(), discriminant.name(), discriminant.value(selected));
    }

    private Found follow(CodeBlock start, XdrType type, List<String> path) {
        Found at = found(List.of(), start, type);
        for (String name : path) {
            at = step(at, name);
        }
        return at;
    }

    /** Resolves typedefs. Unwraps a value whose typedef has a record of its own. */
    private Found found(List<CodeBlock> conditions, CodeBlock value, XdrType type) {
        CodeBlock code = value;
        XdrType at = type;
        while (at instanceof XdrType.Reference reference
                && protocol.type(reference.name()) instanceof TypeDefinition.Typedef typedef) {
            Optional<JavaClass.Value> wrapper = model.valueOf(at);
            if (wrapper.isPresent()) {
                boolean isBits = wrapper.get().component().type() instanceof JavaType.Bits;
                code = CodeBlock.of("$L.$L()$L", code, wrapper.get().component().name(), isBits ? ".words()" : "");
            }
            at = typedef.target();
        }
        return new Found(conditions, code, at);
    }

    private Found step(Found at, String name) {
        String holder = ((XdrType.Reference) at.type()).name();
        Optional<JavaClass> holderClass = model.classOf(holder);
        if (holderClass.isEmpty()) {
            return optional(at, (Union) protocol.type(holder));
        }
        if (holderClass.get() instanceof JavaClass.Structure structure) {
            Component component = structure.component(name);
            return found(
                    at.conditions(),
                    CodeBlock.of("$L.$L()", at.value(), component.name()),
                    component.field().type());
        }
        UnionArm arm = ((JavaClass.Union) holderClass.get()).arm(name);
        Component value = arm.value().orElseThrow();
        String variable = "arm" + (at.conditions().size() + 1);
        return found(
                and(
                        at.conditions(),
                        CodeBlock.of("$L instanceof $T $L", at.value(), Library.generated(arm.name()), variable)),
                CodeBlock.of("$L.$L()", variable, value.name()),
                value.field().type());
    }

    private Found optional(Found at, Union union) {
        XdrType member = union.arms().stream()
                .flatMap(arm -> arm.field().stream())
                .findFirst()
                .orElseThrow()
                .type();
        return found(
                and(at.conditions(), CodeBlock.of("$L.isPresent()", at.value())),
                CodeBlock.of("$L.$L()", at.value(), accessor(member)),
                member);
    }

    /** The method of an optional that returns a value of a type. */
    private String accessor(XdrType member) {
        XdrType at = member;
        while (at instanceof XdrType.Reference reference
                && model.valueOf(at).isEmpty()
                && protocol.type(reference.name()) instanceof TypeDefinition.Typedef typedef) {
            at = typedef.target();
        }
        return at instanceof Primitive number ? OptionalNumberMapping.accessor(number) : "get";
    }

    private static List<CodeBlock> and(List<CodeBlock> conditions, CodeBlock one) {
        List<CodeBlock> all = new ArrayList<>(conditions);
        all.add(one);
        return List.copyOf(all);
    }
}
