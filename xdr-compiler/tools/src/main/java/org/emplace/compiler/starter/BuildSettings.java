// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.starter;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.stream.Collectors;

/**
 * The settings of the project's build for reading the protocol that differ from the defaults.
 *
 * @param includes the file to compile, if there are included files beside it; empty to compile all files
 * @param includeDirectories the directories of included files, as paths in the project
 * @param defines macros with their texts
 * @param undefines macros that are not to be defined
 * @param standardOnly whether only standard XDR is accepted
 */
public record BuildSettings(
        List<String> includes,
        List<String> includeDirectories,
        SortedMap<String, String> defines,
        SortedSet<String> undefines,
        boolean standardOnly) {

    /** The elements of the plugin's configuration, one line each. */
    String elements(boolean isProgram) {
        List<String> lines = new ArrayList<>();
        if (!isProgram) {
            lines.add("<shareDefinitions>true</shareDefinitions> <!-- lets other protocols import the types -->");
        }
        addList(lines, "includes", "include", includes);
        addList(
                lines,
                "includeDirectories",
                "includeDirectory",
                includeDirectories.stream()
                        .map(directory -> "${project.basedir}/" + directory)
                        .toList());
        if (!defines.isEmpty()) {
            lines.add("<defines>");
            defines.forEach((name, text) -> lines.add("  <" + name + ">" + escaped(text) + "</" + name + ">"));
            lines.add("</defines>");
        }
        addList(lines, "undefines", "undefine", List.copyOf(undefines));
        if (standardOnly) {
            lines.add("<standard>true</standard>");
        }
        return lines.stream().map(line -> "              " + line).collect(Collectors.joining("\n"));
    }

    private static void addList(List<String> lines, String list, String element, List<String> values) {
        if (!values.isEmpty()) {
            lines.add("<" + list + ">");
            values.forEach(value -> lines.add("  <" + element + ">" + escaped(value) + "</" + element + ">"));
            lines.add("</" + list + ">");
        }
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
