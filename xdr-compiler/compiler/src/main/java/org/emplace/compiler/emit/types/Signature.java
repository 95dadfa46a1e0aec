// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.types;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.ParameterSpec;
import com.palantir.javapoet.TypeName;
import java.util.List;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.emit.mappings.Mapping;
import org.emplace.compiler.javamodel.Component;
import org.emplace.compiler.javamodel.RemoteProcedure;

/** The Java types of a procedure's arguments and results. */
public final class Signature {
    private Signature() {}

    /** The type of all arguments together; Void if there are none. */
    public static TypeName argument(RemoteProcedure procedure) {
        if (procedure.argumentRecord().isPresent()) {
            return Library.generated(procedure.argumentRecord().get());
        }
        return procedure.parameters().isEmpty()
                ? ClassName.get(Void.class)
                : Mapping.of(procedure.parameters().get(0).type()).type().box();
    }

    /** The type of the results; Void if there are none. */
    public static TypeName result(RemoteProcedure procedure) {
        return procedure.result().map(each -> Mapping.of(each).type().box()).orElse(ClassName.get(Void.class));
    }

    /** The type that a synchronous method returns. */
    public static TypeName returned(RemoteProcedure procedure) {
        return procedure.result().map(each -> Mapping.of(each).type()).orElse(TypeName.VOID);
    }

    /** Parameters for components. */
    public static List<ParameterSpec> parameters(List<Component> components) {
        return components.stream()
                .map(each -> ParameterSpec.builder(Mapping.of(each.type()).type(), each.name())
                        .build())
                .toList();
    }
}
