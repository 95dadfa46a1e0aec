// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.emplace.compiler.Analysis;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.source.SourceFile;
import org.emplace.tests.codegen.random.CompiledProtocol;
import org.emplace.tests.codegen.random.Dialect;
import org.emplace.tests.codegen.random.Seeds;

/**
 * Random protocols that rpcgen supports too, all in one C program and in one run of javac.
 *
 * @param types the argument and result types of each protocol's procedures
 */
record RandomProtocolsInC(Map<CompiledProtocol, List<SharedType>> types, Recoder recoder) {

    /** Compiles the protocols in a folder that exists. */
    static RandomProtocolsInC of(Seeds seeds, Path folder) throws IOException {
        Map<CompiledProtocol, List<SharedType>> types = new LinkedHashMap<>();
        for (CompiledProtocol protocol :
                CompiledProtocol.of(seeds.protocols(Dialect.RPCGEN), Files.createDirectory(folder.resolve("x")))) {
            types.put(
                    protocol,
                    protocol.codedTypes().stream()
                            .map(coded -> SharedType.of(coded).orElseThrow())
                            .toList());
        }
        List<SharedType> all = types.values().stream().flatMap(List::stream).toList();
        String text = types.keySet().stream().map(each -> each.source().text()).collect(Collectors.joining("\n"));
        Path definition = Files.writeString(folder.resolve("random.x"), text);
        Analysis analysis = XdrCompiler.analyze(List.of(new SourceFile("random.x", text)));
        Protocol meaning = analysis.meaning()
                .orElseThrow(() -> new IllegalStateException(String.valueOf(analysis.diagnostics())))
                .protocol();
        Path place = Files.createDirectory(folder.resolve("c"));
        return new RandomProtocolsInC(types, new Recoder(new Rpcgen(place), definition, meaning, all));
    }
}
