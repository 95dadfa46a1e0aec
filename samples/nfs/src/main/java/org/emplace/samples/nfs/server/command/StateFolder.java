// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.command;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the folder for data that survives the server, by the XDG Base Directory Specification. */
final class StateFolder {
    private StateFolder() {}

    /** The folder of a user's server. */
    static Path of(Map<String, String> environment) {
        return home(environment).resolve("emplace-nfs");
    }

    private static Path home(Map<String, String> environment) {
        @Nullable String home = environment.get("XDG_STATE_HOME");
        return home != null && Path.of(home).isAbsolute()
                ? Path.of(home)
                : Path.of(System.getProperty("user.home"), ".local", "state");
    }
}
