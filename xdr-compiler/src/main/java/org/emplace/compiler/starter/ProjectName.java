// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.starter;

import java.util.Locale;
import javax.lang.model.SourceVersion;

/**
 * What a project is called after its protocol's file.
 *
 * @param file the name of the protocol's file, without its ending
 */
public record ProjectName(String file) {

    private static final String OTHERWISE = "protocol";

    /** The name of a protocol's file. */
    public static ProjectName of(String fileName) {
        return new ProjectName(fileName.replaceFirst("(?<=.)\\.[^.]*$", ""));
    }

    /** The Maven artifact, whose name is also that of the project's directory. */
    public String artifact() {
        String name = file.replaceAll("[^A-Za-z0-9_-]+", "-").replaceAll("^-+|-+$", "");
        return name.isEmpty() ? OTHERWISE : name;
    }

    /** The Java package, unless the user wants another. */
    public String packageName() {
        String name = file.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_]", "").replaceFirst("^[0-9_]+", "");
        if (name.isEmpty()) {
            return OTHERWISE;
        }
        return SourceVersion.isName(name) ? name : name + "_";
    }
}
