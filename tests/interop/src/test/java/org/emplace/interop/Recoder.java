// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.tests.codegen.random.CodedType.Recoded;
import org.emplace.xdr.XdrOpaque;

/**
 * Decodes and encodes values in C, with rpcgen's code for a protocol definition and with libtirpc. Names that C's headers define too, such as
 * {@code timeval} and {@code rpc_msg}, are renamed in C.
 *
 * @param rpcgen in its own folder
 * @param file the definition
 */
record Recoder(Rpcgen rpcgen, Path file, Protocol protocol, List<SharedType> types) {
    private static final Path PROGRAM = Path.of("src", "test", "c", "recode.c");

    /** An encoded value to decode and encode. */
    record Sample(SharedType type, XdrOpaque encoding) {}

    /** Each sample decoded and encoded again; empty if C rejects it. */
    List<Optional<Recoded>> recoded(List<Sample> samples) throws IOException, InterruptedException {
        String name = file.getFileName().toString().replaceFirst("\\.x$", "");
        rpcgen.compile(file);
        Files.writeString(rpcgen.folder().resolve("names.h"), names(name));
        Files.writeString(rpcgen.folder().resolve("show.inc"), ShowInC.functions(protocol));
        Files.write(
                rpcgen.folder().resolve("types.inc"),
                types.stream()
                        .map(type -> "TYPE(%s, %s)".formatted(type.cType(), type.cName()))
                        .toList());
        IdentityHashMap<SharedType, Integer> indexes = new IdentityHashMap<>();
        types.forEach(type -> indexes.put(type, indexes.size()));
        List<String> lines = new ArrayList<>();
        for (Sample sample : samples) {
            lines.add(indexes.get(sample.type()) + " "
                    + HexFormat.of().formatHex(sample.encoding().bytes()));
        }
        // -w: rpcgen's code has unused variables, and defines constants that the headers define too.
        return rpcgen.answers(PROGRAM, name, lines, "-w", "-include", "names.h").stream()
                .map(Recoder::parsed)
                .toList();
    }

    /** Parses hex digits, a slash and the value. */
    private static Optional<Recoded> parsed(String answer) {
        int end = answer.indexOf('/');
        return answer.equals("refused")
                ? Optional.empty()
                : Optional.of(new Recoded(answer.substring(0, end), answer.substring(end + 1)));
    }

    /** Includes C's headers, and then defines another name for every name of the definition. */
    private String names(String name) {
        StringBuilder text = new StringBuilder();
        for (String header :
                List.of("rpc/rpc.h", "stdint.h", "stdio.h", "stdlib.h", "string.h", "sys/resource.h", "sys/time.h")) {
            text.append("#include <").append(header).append(">\n");
        }
        Set<String> taken = new TreeSet<>();
        for (TypeDefinition definition : protocol.types().values()) {
            taken.add(definition.name());
            taken.add("xdr_" + definition.name());
            if (definition instanceof TypeDefinition.Enumeration enumeration) {
                enumeration.enumerators().forEach(enumerator -> taken.add(enumerator.name()));
            }
        }
        for (Program program : protocol.programs()) {
            for (Program.Version version : program.versions()) {
                version.procedures().forEach(each -> {
                    taken.add(stub(each, version));
                    taken.add(stub(each, version) + "_svc");
                });
            }
        }
        taken.forEach(each -> text.append("#define %s spec_%s\n".formatted(each, each)));
        // rpcgen's code for a pointer to bool uses sizeof(bool), but libtirpc does not define bool.
        text.append("#define bool bool_t\n");
        return text.append("#include \"%s.h\"\n".formatted(name)).toString();
    }

    /** The C function that rpcgen declares for a call. The server's function ends with {@code _svc}. */
    private static String stub(Program.Procedure procedure, Program.Version version) {
        return procedure.name().toLowerCase(Locale.ROOT) + "_" + version.number();
    }
}
