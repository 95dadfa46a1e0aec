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
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.javamodel.RemoteProcedure;

/** Writes a procedure's chunk plan as an expression that creates a {@code ProcedureBinding}. */
final class BindingEmitter {
    private final ElementSizes elements;

    BindingEmitter(JavaModel model) {
        this.elements = new ElementSizes(model);
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
        return size instanceof Size.FromArgument argument
                ? elements.number(procedure, argument)
                : CodeBlock.of("$T.UNBOUNDED", Library.PROCEDURE_BINDING);
    }
}
