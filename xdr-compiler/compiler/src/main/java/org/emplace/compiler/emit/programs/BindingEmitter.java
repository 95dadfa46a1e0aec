// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.programs;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.emplace.compiler.binding.Binding.VersionBinding;
import org.emplace.compiler.binding.Binding.ViolationAnswer;
import org.emplace.compiler.binding.ChunkPlan.EligibleItem;
import org.emplace.compiler.binding.ChunkPlan.Size;
import org.emplace.compiler.binding.ChunkPlan;
import org.emplace.compiler.binding.StreamOrder;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.emit.code.Literals;
import org.emplace.compiler.emit.types.Methods;
import org.emplace.compiler.emit.types.Signature;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.javamodel.RemoteProcedure;
import org.emplace.compiler.javamodel.RemoteProgram;

/** Writes the chunk plans of one program as expressions that create a {@code ProcedureBinding}, and the methods that these use. */
public final class BindingEmitter {
    private final JavaModel model;
    private final ElementSizes sizes;
    private final Map<String, MethodSpec> methods = new LinkedHashMap<>();

    public BindingEmitter(JavaModel model) {
        this.model = model;
        this.sizes = new ElementSizes(model);
    }

    /** The methods that the expressions so far refer to. */
    List<MethodSpec> methods() {
        return List.copyOf(methods.values());
    }

    public CodeBlock emit(RemoteProcedure procedure, RemoteProgram program) {
        VersionBinding version = program.binding();
        ChunkPlan plan = procedure.plan();
        boolean isIdempotent =
                version.idempotent().contains(procedure.procedure().name());
        CodeBlock replyBound = CodeBlock.of("args -> $L", replyBound(plan.replyBound(), procedure));
        String factory = isIdempotent ? "idempotent" : "nonIdempotent";
        if (version.backward() || !plan.hasItems()) {
            return CodeBlock.of("$T.$L($L)", Library.PROCEDURE_BINDING, factory, replyBound);
        }
        CodeBlock.Builder binding = CodeBlock.builder()
                .add(
                        "$T.<$T, $T>",
                        Library.PROCEDURE_BINDING,
                        Signature.argument(procedure),
                        Signature.result(procedure))
                .add("$L($L)$>$>", factory, replyBound);
        if (!plan.arguments().isEmpty()) {
            binding.add("\n// Read chunks for $L", names(plan.arguments()));
            binding.add("\n.withReadChunks($L)", limit(plan.readChunkLimit()));
        }
        if (!plan.results().isEmpty()) {
            binding.add("\n.withWriteChunks($L, $L)", limit(plan.writeChunkLimit()), results(procedure, program));
        }
        if (version.violation() != ViolationAnswer.GARBAGE_ARGS) {
            binding.add("\n.withViolation($T.$L)", Library.VIOLATION, version.violation());
        }
        return binding.add("$<$<").build();
    }

    private CodeBlock results(RemoteProcedure procedure, RemoteProgram program) {
        boolean isOfOperations =
                program.operations().stream().anyMatch(each -> each.procedure().equals(procedure) && each.isWhole());
        Map<Size, String> names = new LinkedHashMap<>();
        return new ResultOrderEmitter(
                        model,
                        procedure,
                        sizes,
                        isOfOperations,
                        item -> CodeBlock.of(
                                "$T::$L",
                                Library.generated(procedure.programClass()),
                                names.computeIfAbsent(item.size(), size -> method(procedure, item))))
                .emit();
    }

    /** Adds a method for a size that depends on the elements of an array. Items of the same size share it. */
    private String method(RemoteProcedure procedure, EligibleItem item) {
        String name = Methods.unused(procedure.sizeMethod(item), methods.keySet());
        methods.put(name, sizes.method(name, item.place(), procedure, item.size()));
        return name;
    }

    private static CodeBlock limit(int chunks) {
        return chunks == Integer.MAX_VALUE ? CodeBlock.of("$T.MAX_VALUE", Integer.class) : CodeBlock.of("$L", chunks);
    }

    private static String names(StreamOrder<EligibleItem> items) {
        return items.items().stream()
                .map(each -> each.item().toString())
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private CodeBlock replyBound(Size size, RemoteProcedure procedure) {
        if (size instanceof Size.Fixed fixed) {
            return CodeBlock.of("$L", Literals.number(fixed.bytes()));
        }
        return size instanceof Size.FromArgument argument
                ? sizes.number(procedure, argument)
                : CodeBlock.of("$T.UNBOUNDED", Library.PROCEDURE_BINDING);
    }
}
