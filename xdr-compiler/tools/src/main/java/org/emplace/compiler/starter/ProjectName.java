// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.starter;

import java.util.Locale;
import javax.lang.model.SourceVersion;

/**
 * The names of a project, made from that of its protocol's file.
 *
 * @param file the name of the protocol's file, without its extension
 */
public record ProjectName(String file) {

    private static final String OTHERWISE = "protocol";

    /** Made from the name of a protocol's file. */
    public static ProjectName of(String fileName) {
        return new ProjectName(fileName.replaceFirst("(?<=.)\\.[^.]*$", ""));
    }

    /** The name of the Maven artifact, and of the project's directory. */
    public String artifact() {
        String name = file.replaceAll("[^A-Za-z0-9_-]+", "-").replaceAll("^-+|-+$", "");
        return name.isEmpty() ? OTHERWISE : name;
    }

    /** The Java package, unless the user chooses another. */
    public String packageName() {
        String name = file.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_]", "").replaceFirst("^[0-9_]+", "");
        if (name.isEmpty()) {
            return OTHERWISE;
        }
        return SourceVersion.isName(name) ? name : name + "_";
    }
}
