// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.programs;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.emit.code.Javadoc;
import org.emplace.compiler.emit.code.Layout;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.emit.code.Literals;
import org.emplace.compiler.emit.mappings.ListMapping;
import org.emplace.compiler.emit.mappings.Mapping;
import org.emplace.compiler.emit.mappings.NamedMapping;
import org.emplace.compiler.emit.types.Methods;
import org.emplace.compiler.emit.types.Records;
import org.emplace.compiler.emit.types.Signature;
import org.emplace.compiler.javamodel.Component;
import org.emplace.compiler.javamodel.RemoteOperations;
import org.emplace.compiler.javamodel.RemoteProcedure;
import org.emplace.compiler.javamodel.RemoteProgram;
import org.emplace.compiler.model.Program.Procedure;

/** Writes the class of a program's version: the program, and its procedures with their bindings. */
public final class ProgramEmitter {
    private static final int GENERATION = 2;

    /** The constant whose initializer compares the runtime's generation. */
    private static final String COMPARED = "GENERATION";

    private final BindingEmitter bindings;

    public ProgramEmitter(BindingEmitter bindings) {
        this.bindings = bindings;
    }

    public TypeSpec emit(RemoteProgram program) {
        ClassName self = Library.generated(program.name());
        TypeSpec.Builder type = TypeSpec.classBuilder(self)
                .addModifiers(Modifier.PUBLIC, Modifier.FINAL)
                .addJavadoc(documentation(program))
                .addField(generation(self))
                .addField(constant(program));
        addProcedures(type, program);
        return type.addMethod(MethodSpec.constructorBuilder()
                        .addModifiers(Modifier.PRIVATE)
                        .build())
                .build();
    }

    private static CodeBlock documentation(RemoteProgram program) {
        String name = "{@code " + program.program().name() + "} version "
                + program.version().number();
        return Javadoc.of(program.version().documentation(), "The program " + name + ".")
                .from(program.version().name(), program.version().origin())
                .build();
    }

    private void addProcedures(TypeSpec.Builder type, RemoteProgram program) {
        for (RemoteProcedure procedure : program.procedures()) {
            Optional<RemoteOperations> operations = program.operations().stream()
                    .filter(each -> each.procedure().equals(procedure)
                            && each.undefined().isPresent())
                    .findFirst();
            type.addField(field(
                    procedure,
                    program,
                    operations
                            .map(each -> CodeBlock.of(
                                    "$T.of($T::$L)",
                                    Library.CODEC,
                                    Library.generated(program.name()),
                                    reader(procedure)))
                            .orElseGet(() -> arguments(procedure))));
            operations.ifPresent(each -> type.addMethod(decodeOperations(each)));
            procedure
                    .argumentRecord()
                    .ifPresent(name -> type.addType(argumentRecord(procedure, Library.generated(name))));
            procedure
                    .destinationsRecord()
                    .ifPresent(name -> type.addType(DestinationsEmitter.emit(procedure, Library.generated(name))));
        }
        bindings.methods().forEach(type::addMethod);
    }

    private static String reader(RemoteProcedure procedure) {
        return procedure.method() + "Arguments";
    }

    private static MethodSpec decodeOperations(RemoteOperations operations) {
        ClassName holder = Library.generated(operations.holder());
        List<Component> others = operations.others();
        ListMapping array = (ListMapping) Mapping.of(operations.array().type());
        List<CodeBlock> values = new ArrayList<>(Methods.decodeAll(others));
        values.add(array.decodeOperations(
                "in", Library.generated(operations.undefined().orElseThrow().name())));
        return MethodSpec.methodBuilder(reader(operations.procedure()))
                .addModifiers(Modifier.PRIVATE, Modifier.STATIC)
                .addJavadoc(
                        Javadoc.sentence(
                                "Decodes a call. An operation without a definition is the last one if what follows it cannot be read."))
                .returns(holder)
                .addParameter(Library.DECODER, "in")
                .addException(Library.EXCEPTION)
                .addStatement("return $L", Methods.construct(holder, values))
                .build();
    }

    private FieldSpec field(RemoteProcedure procedure, RemoteProgram program, CodeBlock arguments) {
        Procedure source = procedure.procedure();
        TypeName type = ParameterizedTypeName.get(
                Library.PROCEDURE, Signature.argument(procedure), Signature.result(procedure));
        CodeBlock binding = bindings.emit(procedure, program);
        return FieldSpec.builder(type, procedure.constant(), Modifier.PUBLIC, Modifier.STATIC, Modifier.FINAL)
                .addJavadoc(Javadoc.of(source.documentation(), "The procedure {@code " + source.name() + "}.")
                        .from(source.name(), source.origin())
                        .build())
                .initializer(
                        "$T.of($>$>\nPROGRAM,\n$L,\n$S,\n$L,\n$L,\n$L)$<$<",
                        Library.PROCEDURE,
                        Literals.number(source.number()),
                        source.name(),
                        arguments,
                        procedure
                                .result()
                                .map(each -> codec(Mapping.of(each), "results", "results"))
                                .orElse(CodeBlock.of("$T.VOID", Library.CODEC)),
                        binding)
                .build();
    }

    private static CodeBlock arguments(RemoteProcedure procedure) {
        if (procedure.argumentRecord().isPresent()) {
            return CodeBlock.of(
                    "$T.of($T::decode)",
                    Library.CODEC,
                    Library.generated(procedure.argumentRecord().get()));
        }
        if (procedure.parameters().isEmpty()) {
            return CodeBlock.of("$T.VOID", Library.CODEC);
        }
        Component argument = procedure.parameters().get(0);
        return codec(Mapping.of(argument.type()), "args", argument.name());
    }

    /** @param field what the message calls a value out of bounds */
    private static CodeBlock codec(Mapping mapping, String name, String field) {
        if (mapping instanceof NamedMapping) {
            return CodeBlock.of("$T.of($L)", Library.CODEC, mapping.reader(0));
        }
        CodeBlock writer = mapping.model().isBounded()
                ? CodeBlock.of(
                        "(to, $L) -> $L", name, mapping.encode("to", mapping.checked(CodeBlock.of(name), field, 1), 1))
                : mapping.writer(0);
        CodeBlock both = Layout.arguments(List.of(writer, mapping.reader(0)));
        return CodeBlock.of("new $T<>$L", Library.CODEC, both);
    }

    private static TypeSpec argumentRecord(RemoteProcedure procedure, ClassName record) {
        List<Component> components = procedure.parameters();
        return Records.builder(record, components)
                .addModifiers(Modifier.PUBLIC)
                .addSuperinterface(Library.VALUE)
                .addJavadoc(Javadoc.sentence(
                        "All arguments of {@code " + procedure.procedure().name() + "}, in order."))
                .addJavadoc(Records.parameters(components))
                .addMethod(Methods.encodeAll(components, CodeBlock.of(""), false))
                .addMethod(Methods.decode(record, "in")
                        .addStatement("return $L", Methods.construct(record, Methods.decodeAll(components)))
                        .build())
                .build();
    }

    /** Precedes everything that may not fit another runtime. A static block cannot, because JavaPoet prints it after the constants. */
    private static FieldSpec generation(ClassName self) {
        return FieldSpec.builder(TypeName.INT, COMPARED, Modifier.PRIVATE, Modifier.STATIC, Modifier.FINAL)
                .initializer("$T.requireGeneration($L, $S)", Library.RUNTIME, GENERATION, self.simpleName())
                .build();
    }

    private static FieldSpec constant(RemoteProgram program) {
        List<CodeBlock> value = new ArrayList<>();
        value.add(CodeBlock.of(
                "$T.of($S, $L, $L)",
                Library.PROGRAM,
                program.program().name(),
                Literals.number(program.program().number()),
                Literals.number(program.version().number())));
        program.binding().port().ifPresent(port -> value.add(CodeBlock.of(".withRdmaPort($L)", port)));
        program.binding()
                .inlineThreshold()
                .ifPresent(bytes -> value.add(CodeBlock.of(".withInlineThreshold($L)", bytes)));
        program.binding().maxMessage().ifPresent(bytes -> value.add(CodeBlock.of(".withMaxMessage($L)", bytes)));
        return FieldSpec.builder(Library.PROGRAM, "PROGRAM", Modifier.PUBLIC, Modifier.STATIC, Modifier.FINAL)
                .addJavadoc(
                        Javadoc.sentence("The program's numbers, and the binding's parameters for connections to it."))
                .initializer(Layout.chain(value))
                .build();
    }
}
