// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.binding.Binding.VersionBinding;
import org.emplace.compiler.binding.ChunkPlan;
import org.emplace.compiler.binding.ChunkPlan.EligibleItem;
import org.emplace.compiler.binding.ChunkPlan.Size;
import org.emplace.compiler.javamodel.JavaClass;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.javamodel.RemoteProcedure;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.model.XdrType.Primitive;
import org.emplace.compiler.model.XdrType.Reference;

/** Writes a procedure's chunk plan as an expression that creates a {@code ProcedureBinding}. */
final class BindingEmitter {
    private static final long LARGEST = XdrType.UNBOUNDED;

    private final JavaModel model;

    BindingEmitter(JavaModel model) {
        this.model = model;
    }

    CodeBlock emit(RemoteProcedure procedure, VersionBinding version) {
        ChunkPlan plan = procedure.plan();
        boolean isIdempotent =
                version.idempotent().contains(procedure.procedure().name());
        CodeBlock replyBound = CodeBlock.of("args -> $L", size(plan.replyBound(), procedure));
        if (version.backward() || (plan.arguments().isEmpty() && plan.results().isEmpty())) {
            return CodeBlock.of("$T.nothingEligible($L, $L)", Library.PROCEDURE_BINDING, replyBound, isIdempotent);
        }
        CodeBlock sizes = hasSizesOfElements(procedure)
                ? CodeBlock.of("$T::$L", Library.generated(procedure.programClass()), sizesMethod(procedure))
                : CodeBlock.of(
                        "args -> $T.of($L)",
                        List.class,
                        plan.results().stream()
                                .map(item -> boxable(size(item.size(), procedure), item.size()))
                                .collect(CodeBlock.joining(", ")));
        return CodeBlock.builder()
                .add("new $T<>($>$>\n", Library.PROCEDURE_BINDING)
                .add("$L, // $L\n", !plan.arguments().isEmpty(), items("Read chunks", plan.arguments()))
                .add("$L, // $L\n", !plan.results().isEmpty(), items("Write chunks", plan.results()))
                .add("$L, // their largest sizes in bytes\n", sizes)
                .add("$L, // most bytes of results outside of chunks\n", replyBound)
                .add("$L, // most Read chunks\n", limit(plan.readChunkLimit()))
                .add("$L, // most Write chunks\n", limit(plan.writeChunkLimit()))
                .add("$L, // $L\n", isIdempotent, isIdempotent ? "idempotent" : "not idempotent")
                .add("$T.$L)$<$<", Library.VIOLATION, version.violation())
                .build();
    }

    private static CodeBlock limit(int chunks) {
        return chunks == Integer.MAX_VALUE ? CodeBlock.of("$T.MAX_VALUE", Integer.class) : CodeBlock.of("$L", chunks);
    }

    /** The method that the expression calls if sizes depend on the elements of an array. */
    Optional<MethodSpec> sizes(RemoteProcedure procedure) {
        if (!hasSizesOfElements(procedure)) {
            return Optional.empty();
        }
        MethodSpec.Builder method = MethodSpec.methodBuilder(sizesMethod(procedure))
                .addModifiers(Modifier.PRIVATE, Modifier.STATIC)
                .addJavadoc(Javadoc.sentence("The largest size of each result that moves by a Write chunk, in bytes."))
                .returns(ParameterizedTypeName.get(List.class, Long.class))
                .addParameter(Signature.argument(procedure), "args")
                .addStatement("$T<$T> sizes = new $T<>()", List.class, Long.class, ArrayList.class);
        ElementSizes elements = new ElementSizes(model);
        List<EligibleItem> items = procedure.plan().results();
        for (int i = 0; i < items.size(); ) {
            Optional<List<String>> array = ElementSizes.array(items.get(i).size());
            if (array.isEmpty()) {
                Size size = items.get(i++).size();
                method.addStatement("sizes.add($L)", boxable(size(size, procedure), size));
            } else {
                List<Size> ofOneArray = new ArrayList<>();
                while (i < items.size()
                        && ElementSizes.array(items.get(i).size()).equals(array)) {
                    ofOneArray.add(items.get(i++).size());
                }
                method.addCode(elements.loop(procedure, array.get(), ofOneArray));
            }
        }
        return Optional.of(method.addStatement("return sizes").build());
    }

    private static boolean hasSizesOfElements(RemoteProcedure procedure) {
        return procedure.plan().results().stream()
                .anyMatch(item -> ElementSizes.array(item.size()).isPresent());
    }

    private static String sizesMethod(RemoteProcedure procedure) {
        return procedure.method() + "ResultSizes";
    }

    private static String items(String chunks, List<EligibleItem> items) {
        return items.isEmpty()
                ? "no " + chunks
                : chunks + " for "
                        + items.stream()
                                .map(each -> each.item().toString())
                                .distinct()
                                .collect(Collectors.joining(", "));
    }

    /** An expression of type long that can be boxed to a Long. */
    private static CodeBlock boxable(CodeBlock size, Size kind) {
        return kind instanceof Size.Fixed fixed && fixed.bytes() == (int) fixed.bytes()
                ? CodeBlock.of("$LL", size)
                : size;
    }

    private CodeBlock size(Size size, RemoteProcedure procedure) {
        if (size instanceof Size.Fixed fixed) {
            return CodeBlock.of("$L", Literals.number(fixed.bytes()));
        }
        if (size instanceof Size.FromArgument argument) {
            return fromArgument(argument, procedure).orElseGet(BindingEmitter::unbounded);
        }
        return unbounded();
    }

    private static CodeBlock unbounded() {
        return CodeBlock.of("$T.UNBOUNDED", Library.PROCEDURE_BINDING);
    }

    private Optional<CodeBlock> fromArgument(Size.FromArgument size, RemoteProcedure procedure) {
        if (procedure.parameters().size() == 1) {
            XdrType type = procedure.parameters().get(0).field().type();
            return value(CodeBlock.of("args"), type, size.path()).map(value -> plus(value, size.plus()));
        }
        return procedure.parameters().stream()
                .filter(each -> !size.path().isEmpty()
                        && each.field().name().equals(size.path().get(0)))
                .findFirst()
                .flatMap(each -> value(
                        CodeBlock.of("args.$L()", each.name()),
                        each.field().type(),
                        size.path().subList(1, size.path().size())))
                .map(value -> plus(value, size.plus()));
    }

    static CodeBlock plus(CodeBlock value, long plus) {
        return plus == 0 ? value : CodeBlock.of("$L + $L", value, Literals.number(plus));
    }

    /** The number at the end of a path of struct members. */
    private Optional<CodeBlock> value(CodeBlock holder, XdrType type, List<String> path) {
        Held held = Held.in(holder, type, model);
        if (path.isEmpty()) {
            return held.type() instanceof Primitive primitive ? inRange(held.code(), primitive) : Optional.empty();
        }
        if (!(held.type() instanceof Reference reference
                && model.classOf(reference.name()).orElse(null) instanceof JavaClass.Structure structure)) {
            return Optional.empty();
        }
        return structure.components().stream()
                .filter(each -> each.field().name().equals(path.get(0)))
                .findFirst()
                .flatMap(each -> value(
                        CodeBlock.of("$L.$L()", holder, each.name()),
                        each.field().type(),
                        path.subList(1, path.size())));
    }

    /** The value as a long from 0 to 2^32-1. A value from a peer may be negative, or exceed the size of any message. */
    static Optional<CodeBlock> inRange(CodeBlock value, Primitive primitive) {
        return switch (primitive) {
            case UNSIGNED_INT -> Optional.of(value);
            case INT -> Optional.of(CodeBlock.of("$T.max($L, 0L)", Math.class, value));
            case HYPER ->
                Optional.of(
                        CodeBlock.of("$1T.min($1T.max($2L, 0L), $3L)", Math.class, value, Literals.number(LARGEST)));
            case UNSIGNED_HYPER ->
                Optional.of(CodeBlock.of(
                        "($1L < 0 ? $3L : $2T.min($1L, $3L))", value, Math.class, Literals.number(LARGEST)));
            default -> Optional.empty();
        };
    }
}
