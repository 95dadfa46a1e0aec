// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.emplace.compiler.CompileRequest;
import org.emplace.compiler.CompileResult;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.binding.TypeClauses;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.model.Imports;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeDefinition.Field;
import org.emplace.compiler.model.TypeDefinition.Structure;
import org.emplace.compiler.model.XdrType;
import org.emplace.rpc.Procedure;
import org.emplace.tests.codegen.random.CodedType;
import org.emplace.xdr.XdrCodec;
import org.emplace.xdr.XdrCodec.Reader;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrValue;

/**
 * A protocol definition of this project with its generated classes in the module emplace-tests-specs.
 *
 * @param clauses which types have a different form in Java
 * @param lenientProcedures procedures that accept arguments up to an undefined operation, whatever follows it
 * @param classes the generated classes by their simple names in lower case
 */
record CompiledSpec(
        Protocol protocol, TypeClauses clauses, Set<String> lenientProcedures, Map<String, Class<?>> classes) {
    /** Definitions whose types another definition uses, imported as in that module. */
    private static final Map<String, List<String>> IMPORTS = Map.of("nfs_acl.x", List.of("nfs3.x"));

    private static final String PACKAGE = "org.emplace.tests.specs.";

    /** The definition in the file {@code NAME.x}. */
    static CompiledSpec of(Path file) throws ClassNotFoundException {
        String name = file.getFileName().toString();
        List<CompileRequest.Source> sources = new ArrayList<>(List.of(new CompileRequest.Source(file, name)));
        Imports imports = Imports.NONE;
        for (String imported : IMPORTS.getOrDefault(name, List.of())) {
            String theirs = packageOf(imported);
            sources.add(new CompileRequest.Source(file.resolveSibling(imported), imported, Optional.of(theirs)));
            imports = imports.and(List.of(imported), theirs);
        }
        CompileResult result = XdrCompiler.compile(new CompileRequest(sources, packageOf(name)));
        Map<String, Class<?>> classes = new TreeMap<>();
        for (String path : result.generated().keySet()) {
            Class<?> type = Class.forName(path.replaceFirst("\\.java$", "").replace('/', '.'));
            classes.put(type.getSimpleName().toLowerCase(Locale.ROOT), type);
        }
        JavaModel meaning =
                XdrCompiler.analyze(result.sources(), imports).meaning().orElseThrow();
        Set<String> lenient = meaning.binding().operations().keySet().stream()
                .map(Target.Procedure::procedure)
                .collect(Collectors.toSet());
        return new CompiledSpec(meaning.protocol(), meaning.binding().typeClauses(), lenient, classes);
    }

    private static String packageOf(String file) {
        return PACKAGE + file.replaceFirst("\\.x$", "");
    }

    /** The arguments and results of every procedure, and every struct and union that has its own class in Java. */
    List<SharedType> types() throws IllegalAccessException {
        List<SharedType> types = new ArrayList<>();
        for (TypeDefinition definition : protocol.types().values()) {
            boolean shared = (definition instanceof Structure structure && !isNodeOfList(structure))
                    || definition instanceof TypeDefinition.Union;
            if (shared) {
                XdrType type = new XdrType.Reference(definition.name());
                codec(definition.name()).ifPresent(codec -> add(definition.name(), type, codec, types));
            }
        }
        for (Program program : protocol.programs()) {
            for (Program.Version version : program.versions()) {
                for (Program.Procedure procedure : version.procedures()) {
                    addProcedure(program, version, procedure, types);
                }
            }
        }
        return types;
    }

    /** The types for which our code must reject all that C rejects: without lenient procedures' arguments, but with their structs. */
    List<SharedType> strictTypes() throws IllegalAccessException {
        return types().stream()
                .filter(type -> lenientProcedures.stream()
                        .noneMatch(each -> type.coded().name().equals(argumentsOf(each))))
                .toList();
    }

    private static String argumentsOf(String procedure) {
        return procedure + " arguments";
    }

    private void addProcedure(
            Program program, Program.Version version, Program.Procedure procedure, List<SharedType> types)
            throws IllegalAccessException {
        Procedure<?, ?> ours = procedure(program.number(), version.number(), procedure.number());
        if (procedure.arguments().size() == 1) {
            add(argumentsOf(procedure.name()), procedure.arguments().get(0), ours.arguments(), types);
        }
        add(procedure.name() + " results", procedure.result(), ours.results(), types);
    }

    private void add(String name, XdrType type, XdrCodec<?> codec, List<SharedType> types) {
        SharedType.of(new CodedType<>(name, protocol, clauses, List.of(type), codec))
                .ifPresent(types::add);
    }

    /** Whether a struct ends with a pointer to its own type. Java has a list instead, so its record is coded without the pointer. */
    private static boolean isNodeOfList(Structure structure) {
        Field last = structure.fields().get(structure.fields().size() - 1);
        return last.type() instanceof XdrType.Optional next
                && next.element().equals(new XdrType.Reference(structure.name()));
    }

    private Optional<XdrCodec<? extends XdrValue>> codec(String xdrName) {
        Class<?> type = classes.get(xdrName.replace("_", "").toLowerCase(Locale.ROOT));
        if (type == null || !XdrValue.class.isAssignableFrom(type)) {
            return Optional.empty();
        }
        try {
            Method decode = type.getMethod("decode", XdrDecoder.class);
            return Optional.of(XdrCodec.of(reader(decode)));
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(type + " cannot be decoded", e);
        }
    }

    private static Reader<XdrValue> reader(Method decode) {
        return in -> {
            try {
                return (XdrValue) decode.invoke(null, in);
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof XdrException malformed) {
                    throw malformed;
                }
                throw new IllegalStateException(decode + " failed", e.getCause());
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(decode + " cannot be called", e);
            }
        };
    }

    private Procedure<?, ?> procedure(long program, long version, long number) throws IllegalAccessException {
        for (Class<?> type : classes.values()) {
            for (var field : type.getFields()) {
                if (field.getType() == Procedure.class
                        && field.get(null) instanceof Procedure<?, ?> procedure
                        && procedure.program().number() == program
                        && procedure.program().version() == version
                        && procedure.number() == number) {
                    return procedure;
                }
            }
        }
        throw new IllegalStateException(
                "no procedure %d of program %d, version %d".formatted(number, program, version));
    }
}
