// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.programs;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.emplace.compiler.binding.ChunkPlan.EligibleItem;
import org.emplace.compiler.binding.ChunkPlan.Size;
import org.emplace.compiler.binding.ChunkPlan;
import org.emplace.compiler.binding.StreamOrder;
import org.emplace.compiler.emit.code.Layout;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.emit.code.Literals;
import org.emplace.compiler.emit.types.Signature;
import org.emplace.compiler.javamodel.Component;
import org.emplace.compiler.javamodel.JavaClass;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.javamodel.JavaType;
import org.emplace.compiler.javamodel.RemoteProcedure;
import org.emplace.compiler.javamodel.UnionArm;
import org.emplace.compiler.model.TypeDefinition.Field;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;

/** Writes the order of a procedure's eligible results as an expression that creates a {@code ResultOrder}. */
final class ResultOrderEmitter {
    /** The value that is itself what an order describes. */
    private static final Value ITSELF = new Value(CodeBlock.of("$T.identity()", Function.class), "");

    private final JavaModel model;
    private final RemoteProcedure procedure;
    private final ElementSizes sizes;
    private final boolean isOfOperations;
    private final Function<EligibleItem, CodeBlock> sizeByElement;

    /**
     * How to get a part of a value.
     *
     * @param function the function that returns it
     * @param suffix the call that returns it, behind the value
     */
    private record Value(CodeBlock function, String suffix) {

        static Value of(TypeName type, String component) {
            return new Value(CodeBlock.of("$T::$L", type, component), "." + component + "()");
        }
    }

    /**
     * @param isOfOperations whether the results are those of operations, which have all their items unless one fails
     * @param sizeByElement returns a reference to the method for a size that depends on the elements of an array
     */
    ResultOrderEmitter(
            JavaModel model,
            RemoteProcedure procedure,
            ElementSizes sizes,
            boolean isOfOperations,
            Function<EligibleItem, CodeBlock> sizeByElement) {
        this.model = model;
        this.procedure = procedure;
        this.sizes = sizes;
        this.isOfOperations = isOfOperations;
        this.sizeByElement = sizeByElement;
    }

    CodeBlock emit() {
        return order(procedure.plan().results(), ITSELF, procedure.procedure().result(), true);
    }

    /**
     * An expression for a part of the results.
     *
     * @param value a function that returns the part
     * @param isOutermost whether no array is around it
     */
    private CodeBlock order(StreamOrder<EligibleItem> order, Value value, XdrType declared, boolean isOutermost) {
        if (order instanceof StreamOrder.Item<EligibleItem> item) {
            return item(item.item(), value);
        }
        XdrType type = declared;
        while (type instanceof XdrType.Reference reference
                && model.protocol().type(reference.name()) instanceof TypeDefinition.Typedef typedef) {
            if (model.valueOf(type).isPresent()) {
                JavaClass.Value wrapper = model.valueOf(type).get();
                Value held = Value.of(
                        Library.generated(wrapper.name()), wrapper.component().name());
                return within(value, order(order, held, typedef.target(), isOutermost));
            }
            type = typedef.target();
        }
        if (type instanceof XdrType.Optional optional) {
            return option(((StreamOrder.Option<EligibleItem>) order).content(), value, optional.element(), isOutermost);
        } else if (type instanceof XdrType.Array array) {
            StreamOrder.Repetition<EligibleItem> elements = (StreamOrder.Repetition<EligibleItem>) order;
            return array(elements, value, order(elements.element(), ITSELF, array.element(), false), isOutermost);
        }
        return definition(order, value, ((XdrType.Reference) type).name(), isOutermost);
    }

    private CodeBlock definition(StreamOrder<EligibleItem> order, Value value, String name, boolean isOutermost) {
        if (model.classOf(name).isEmpty()) {
            Field present = model.protocol()
                    .optionalMember((TypeDefinition.Union) model.protocol().type(name))
                    .orElseThrow();
            return option(order.member(present.name()), value, present.type(), isOutermost);
        } else if (model.classOf(name).get() instanceof JavaClass.Union union) {
            return within(value, union(order, union, isOutermost));
        }
        JavaClass.Structure structure =
                (JavaClass.Structure) model.classOf(name).get();
        if (order instanceof StreamOrder.Repetition<EligibleItem> list) {
            return array(list, value, structure(list.element(), structure, false), isOutermost);
        } else if (order instanceof StreamOrder.Linked<EligibleItem> list) {
            boolean isBySize = isOutermost && !ChunkPlan.sizedBy(order).isEmpty();
            List<CodeBlock> arguments = new ArrayList<>(List.of(most(order, StreamOrder.UNLIMITED, isOutermost)));
            if (!isBySize) {
                sized(order, isOutermost).ifPresent(arguments::add);
            }
            arguments.add(value.function());
            return node(
                    isBySize ? "linkedBySize" : "linked",
                    arguments,
                    List.of(structure(list.before(), structure, false), structure(list.after(), structure, false)));
        }
        return within(value, structure(order, structure, isOutermost));
    }

    /** Optional-data. With the elements of a list in it, it is a list that may be empty. */
    private CodeBlock option(StreamOrder<EligibleItem> content, Value value, XdrType element, boolean isOutermost) {
        boolean isItem = content instanceof StreamOrder.Item;
        boolean isList =
                !isPayload(content) && model.type(element) instanceof JavaType.LinkedList list && list.isNonEmpty();
        if (isList && !isItem) {
            return order(content, value, element, isOutermost);
        }
        CodeBlock present =
                isList ? CodeBlock.of("each -> each$L.stream().findFirst()", value.suffix()) : value.function();
        return node("option", List.of(present), List.of(order(content, ITSELF, element, isOutermost)));
    }

    private static boolean isPayload(StreamOrder<EligibleItem> order) {
        return order instanceof StreamOrder.Item<EligibleItem> item
                && item.item().isPayload();
    }

    private CodeBlock structure(StreamOrder<EligibleItem> order, JavaClass.Structure structure, boolean isOutermost) {
        TypeName type = Library.generated(structure.name());
        List<CodeBlock> parts = order.members().stream()
                .map(each -> {
                    Component component = structure.component(each.name());
                    return order(
                            each.order(),
                            Value.of(type, component.name()),
                            component.field().type(),
                            isOutermost);
                })
                .toList();
        if (parts.isEmpty()) {
            return CodeBlock.of("$T.none()", Library.RESULT_ORDER);
        }
        return parts.size() == 1 ? parts.get(0) : ofParts("sequence", type, parts);
    }

    private CodeBlock union(StreamOrder<EligibleItem> order, JavaClass.Union union, boolean isOutermost) {
        List<StreamOrder.Member<EligibleItem>> withItems =
                order.members().stream().filter(each -> !each.order().isEmpty()).toList();
        List<CodeBlock> arms = new ArrayList<>();
        for (StreamOrder.Member<EligibleItem> each : withItems) {
            UnionArm arm = union.arm(each.name());
            TypeName type = Library.generated(arm.name());
            Component component = arm.value().orElseThrow();
            CodeBlock content = order(
                    each.order(),
                    Value.of(type, component.name()),
                    component.field().type(),
                    isOutermost);
            arms.add(node("arm", List.of(CodeBlock.of("$T.class", type)), List.of(content)));
        }
        if (withItems.size() < union.arms().size()) {
            arms.add(CodeBlock.of("$T.none()", Library.RESULT_ORDER));
        }
        return ofParts("choice", Library.generated(union.name()), arms);
    }

    private CodeBlock array(
            StreamOrder.Repetition<EligibleItem> elements, Value value, CodeBlock element, boolean isOutermost) {
        StreamOrder.Count count = elements.count();
        boolean isBySize =
                isOutermost && !count.isFixed() && !ChunkPlan.sizedBy(elements).isEmpty();
        String bySize = isOfOperations ? "operations" : "arrayBySize";
        String method = isBySize ? bySize : count.isFixed() ? "fixedArray" : "array";
        CodeBlock most = count.isFixed() ? CodeBlock.of("$L", count.most()) : most(elements, count.most(), isOutermost);
        List<CodeBlock> arguments = new ArrayList<>(List.of(most));
        if (method.equals("array")) {
            sized(elements, isOutermost).ifPresent(arguments::add);
        }
        arguments.add(value.function());
        return node(method, arguments, List.of(element));
    }

    /** A function of the arguments that returns for how many elements they have sizes; empty if no size depends on elements. */
    private Optional<CodeBlock> sized(StreamOrder<EligibleItem> elements, boolean isOutermost) {
        Set<List<String>> arrays = new LinkedHashSet<>();
        elements.items().forEach(item -> item.size().elementsOf().ifPresent(arrays::add));
        return isOutermost && !arrays.isEmpty()
                ? Optional.of(CodeBlock.of("args -> $L", sizes.count(procedure, arrays)))
                : Optional.empty();
    }

    /** A function of the arguments that returns the largest number of elements. */
    private CodeBlock most(StreamOrder<EligibleItem> elements, long bound, boolean isOutermost) {
        Set<List<String>> arrays = isOutermost ? ChunkPlan.sizedBy(elements) : Set.of();
        if (!arrays.isEmpty()) {
            return CodeBlock.of("args -> $L", sizes.count(procedure, arrays));
        }
        return bound < Integer.MAX_VALUE
                ? CodeBlock.of("args -> $L", bound)
                : CodeBlock.of("args -> $T.MAX_VALUE", Integer.class);
    }

    private CodeBlock item(EligibleItem item, Value value) {
        CodeBlock place = CodeBlock.of("$S", item.place());
        if (!item.isPayload()) {
            return leaf("encoded", List.of(place, size(item)));
        }
        CodeBlock number = CodeBlock.of("$L", procedure.plan().payloads().indexOf(item));
        return leaf("payload", List.of(number, place, size(item), value.function()));
    }

    private CodeBlock size(EligibleItem item) {
        Size size = item.size();
        if (size.elementsOf().isPresent()) {
            return sizeByElement.apply(item);
        } else if (size instanceof Size.Fixed fixed) {
            return CodeBlock.of("(args, index) -> $L", Literals.number(fixed.bytes()));
        }
        return CodeBlock.of(
                "(args, index) -> $L",
                size instanceof Size.FromArgument argument
                        ? sizes.number(procedure, argument)
                        : CodeBlock.of("$T.UNBOUNDED", Library.RESULT_ORDER));
    }

    /** An order that describes a part of a value. */
    private static CodeBlock within(Value value, CodeBlock order) {
        return value.equals(ITSELF) ? order : node("member", List.of(value.function()), List.of(order));
    }

    /** An order of several parts of a value. Its types are written out, because inferring those of all parts at once takes javac very long. */
    private CodeBlock ofParts(String method, TypeName type, List<CodeBlock> parts) {
        return CodeBlock.of(
                "$T.<$T, $T>$L$L",
                Library.RESULT_ORDER,
                Signature.argument(procedure),
                type,
                method,
                Layout.tree(List.of(), parts));
    }

    private static CodeBlock node(String method, List<CodeBlock> arguments, List<CodeBlock> parts) {
        return CodeBlock.of("$T.$L$L", Library.RESULT_ORDER, method, Layout.tree(arguments, parts));
    }

    private static CodeBlock leaf(String method, List<CodeBlock> arguments) {
        return CodeBlock.of("$T.$L$L", Library.RESULT_ORDER, method, Layout.arguments(arguments));
    }
}
