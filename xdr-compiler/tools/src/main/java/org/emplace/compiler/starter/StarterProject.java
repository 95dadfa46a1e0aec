// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.starter;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.emit.HandlerSkeleton;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.javamodel.JavaName;
import org.emplace.compiler.javamodel.RemoteProgram;
import org.emplace.compiler.model.Protocol;

/**
 * Makes the files of a new project for one protocol, except the protocol's own. A protocol without a program that can be served becomes a library of
 * its types.
 */
public final class StarterProject {
    private static final int PORT = 20200;
    private static final String FOLDER = "src/main/";

    /** Classes of the runtime that the templates use by their simple names. */
    private static final Set<String> USED = Set.of("Rpc", "RpcServer");

    private final ProjectName name;
    private final String packageName;
    private final JavaModel java;
    private final List<RemoteProgram> served;
    private final Set<String> taken = new HashSet<>();

    private StarterProject(ProjectName name, String packageName, Protocol protocol, Binding binding) {
        this.name = name;
        this.packageName = packageName;
        this.java = JavaModel.of(protocol, binding, packageName);
        this.served = java.programs().stream()
                .filter(program -> !program.binding().backward())
                .toList();
    }

    /**
     * Makes the files.
     *
     * @param hasSidecar whether the protocol has a sidecar already
     * @return texts by path in the project's directory, with {@code /}
     */
    public static SortedMap<String, String> files(
            ProjectName name,
            String packageName,
            Protocol protocol,
            Binding binding,
            BuildSettings settings,
            boolean hasSidecar) {
        StarterProject project = new StarterProject(name, packageName, protocol, binding);
        SortedMap<String, String> files = project.files(settings);
        if (!hasSidecar) {
            BindingSkeleton.of(protocol, binding, name.file() + ".x", PORT)
                    .ifPresent(text -> files.put(FOLDER + "xdr/" + name.file() + ".ulb", text));
        }
        return files;
    }

    private SortedMap<String, String> files(BuildSettings settings) {
        SortedMap<String, String> files = new TreeMap<>();
        Map<String, String> values = new TreeMap<>();
        values.put("package", packageName);
        values.put("artifact", name.artifact());
        values.put("configuration", settings.elements(!served.isEmpty()));
        values.put(
                "program", served.stream().map(each -> each.name().simpleName()).collect(Collectors.joining()));
        takeGeneratedNames();
        List.of("Server", "Client", "ServerTest").forEach(each -> values.put(each, free(each)));
        files.put("pom.xml", Template.of("pom.xml").with(values));
        if (!served.isEmpty()) {
            addSources(files, values);
        }
        return files;
    }

    private void addSources(SortedMap<String, String> files, Map<String, String> values) {
        StringBuilder services = new StringBuilder();
        for (RemoteProgram program : served) {
            JavaName handler = JavaName.of(packageName, free(program.name().simpleName() + "Handler"));
            files.put(path("main", handler.simpleName()), HandlerSkeleton.source(program, handler));
            services.append("        server.service(%s.service(new %s()));\n"
                    .formatted(reference(program.server()), handler.simpleName()));
        }
        values.put("services", services.toString().stripTrailing());
        values.put("port", Integer.toString(PORT));
        values.put("programs", programs());
        values.put("client", reference(served.get(0).client()));
        for (String role : List.of("Server", "Client", "ServerTest")) {
            String source = Template.of(role + ".java").with(values);
            String tree = role.endsWith("Test") ? "test" : "main";
            files.put(path(tree, values.getOrDefault(role, role)), source);
        }
    }

    /** The programs whose procedure 0 does nothing, as by convention. A client can call it to find out whether the server answers. */
    private String programs() {
        Function<RemoteProgram, String> constant = program -> reference(program.name()) + ".PROGRAM";
        return served.stream()
                .filter(program -> program.version().procedures().stream()
                        .allMatch(procedure -> procedure.number() != 0 || procedure.isNull()))
                .map(constant)
                .collect(Collectors.joining(", "));
    }

    private String path(String tree, String className) {
        return "src/" + tree + "/java/" + packageName.replace('.', '/') + "/" + className + ".java";
    }

    /** A generated class as templates refer to it. */
    private static String reference(JavaName name) {
        return USED.contains(name.simpleName()) ? name.packageName() + "." + name.simpleName() : name.simpleName();
    }

    /** Reserves the names of generated classes in lower case, because many file systems ignore case. */
    private void takeGeneratedNames() {
        taken.add(java.constants().simpleName().toLowerCase(Locale.ROOT));
        java.classes().forEach(each -> take(each.name()));
        java.programs().forEach(program -> {
            program.classes().forEach(this::take);
            program.operations().forEach(each -> {
                take(each.call());
                take(each.server());
            });
        });
    }

    private void take(JavaName generated) {
        taken.add(generated.simpleNames().get(0).toLowerCase(Locale.ROOT));
    }

    /** A class name that no generated class has. Reserves it. */
    private String free(String wanted) {
        String free = wanted;
        while (!taken.add(free.toLowerCase(Locale.ROOT))) {
            free += "_";
        }
        return free;
    }
}
