// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.random;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.emplace.compiler.CompileRequest;
import org.emplace.compiler.CompileResult;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.binding.TypeClauses;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.XdrType;
import org.emplace.rpc.Procedure;
import org.emplace.xdr.XdrCodec;

/**
 * A random protocol with its generated classes, compiled and loaded.
 *
 * @param meaning the compiler's model of it
 * @param clauses which types have a different form in Java
 * @param procedures by the numbers of program, version and procedure
 */
public record CompiledProtocol(
        RandomProtocol source, Protocol meaning, TypeClauses clauses, Map<List<Long>, CodedProcedure> procedures) {

    /** A procedure with its arguments and results, which are empty if void. */
    public record CodedProcedure(
            Procedure<?, ?> procedure, Optional<CodedType<?>> arguments, Optional<CodedType<?>> results) {}

    /** The arguments and results of all procedures. */
    public List<CodedType<?>> codedTypes() {
        return procedures.values().stream()
                .<CodedType<?>>flatMap(each -> Stream.concat(each.arguments().stream(), each.results().stream()))
                .toList();
    }

    /** The compiler's output for a random protocol. */
    public record Generated(RandomProtocol source, CompileResult result) {

        /** Writes the files to a folder of their own and compiles them to a package of their own. */
        public static Generated of(RandomProtocol source, Path folder) throws IOException {
            for (Map.Entry<String, String> file : source.files().entrySet()) {
                Files.writeString(folder.resolve(file.getKey()), file.getValue());
            }
            return of(source, source.sources(folder));
        }

        /** Compiles files that have been written. */
        public static Generated of(RandomProtocol source, List<CompileRequest.Source> files) {
            CompileResult result = XdrCompiler.compile(new CompileRequest(files, "random.s" + source.seed()));
            if (result.failed()) {
                throw new IllegalStateException(result.diagnostics() + "\n" + source);
            }
            return new Generated(source, result);
        }

        /** The protocol with its classes, from a loader that has them. */
        public CompiledProtocol loaded(ClassLoader loader) {
            JavaModel analyzed = XdrCompiler.analyze(result.sources()).meaning().orElseThrow();
            Protocol meaning = analyzed.protocol();
            TypeClauses clauses = analyzed.binding().typeClauses();
            Map<List<Long>, Procedure<?, ?>> procedures = procedures(loader);
            Map<List<Long>, CodedProcedure> coded = new LinkedHashMap<>();
            for (Program program : meaning.programs()) {
                for (Program.Version version : program.versions()) {
                    for (Program.Procedure procedure : version.procedures()) {
                        List<Long> numbers = List.of(program.number(), version.number(), procedure.number());
                        Procedure<?, ?> ours = procedures.get(numbers);
                        if (ours == null) {
                            throw new IllegalStateException("no class has the procedure " + numbers + " of " + source);
                        }
                        coded.put(
                                numbers,
                                new CodedProcedure(
                                        ours,
                                        coded(
                                                procedure,
                                                "arguments",
                                                procedure.arguments(),
                                                ours.arguments(),
                                                analyzed),
                                        coded(
                                                procedure,
                                                "results",
                                                List.of(procedure.result()),
                                                ours.results(),
                                                analyzed)));
                    }
                }
            }
            return new CompiledProtocol(source, meaning, clauses, coded);
        }

        private static Optional<CodedType<?>> coded(
                Program.Procedure procedure, String which, List<XdrType> types, XdrCodec<?> codec, JavaModel meaning) {
            return types.isEmpty() || types.contains(XdrType.Primitive.VOID)
                    ? Optional.empty()
                    : Optional.of(new CodedType<>(
                            procedure.name() + "'s " + which,
                            meaning.protocol(),
                            meaning.binding().typeClauses(),
                            types,
                            codec));
        }

        /** The generated procedures by the numbers of program, version and procedure. */
        private Map<List<Long>, Procedure<?, ?>> procedures(ClassLoader loader) {
            Map<List<Long>, Procedure<?, ?>> procedures = new LinkedHashMap<>();
            try {
                for (String path : result.generated().keySet()) {
                    String name = path.replaceFirst("\\.java$", "").replace('/', '.');
                    for (Field field : Class.forName(name, true, loader).getFields()) {
                        if (field.getType() == Procedure.class
                                && field.get(null) instanceof Procedure<?, ?> procedure) {
                            procedures.put(
                                    List.of(
                                            procedure.program().number(),
                                            procedure.program().version(),
                                            procedure.number()),
                                    procedure);
                        }
                    }
                }
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(source.toString(), e);
            }
            return procedures;
        }
    }

    /**
     * Compiles random protocols: the XDR files protocol by protocol, the Java sources together.
     *
     * @throws IllegalStateException if a compiler rejects one, or javac warns; the message has the seed and the sources
     */
    public static List<CompiledProtocol> of(List<RandomProtocol> protocols, Path folder) throws IOException {
        List<Generated> generated = new ArrayList<>();
        SortedMap<String, String> sources = new TreeMap<>();
        for (RandomProtocol protocol : protocols) {
            Generated each = Generated.of(protocol, folder);
            sources.putAll(each.result().generated());
            generated.add(each);
        }
        JavaSources.Compiled compiled = JavaSources.compile(sources);
        if (!compiled.messages().isEmpty()) {
            throw new IllegalStateException(explained(compiled.messages(), protocols));
        }
        return generated.stream().map(each -> each.loaded(compiled.loader())).toList();
    }

    /** The messages, and the protocol that the first of them concerns. */
    private static String explained(String messages, List<RandomProtocol> protocols) {
        return protocols.stream()
                .filter(each -> messages.contains("random/s" + each.seed() + "/"))
                .findFirst()
                .map(each -> messages + each)
                .orElse(messages);
    }
}
