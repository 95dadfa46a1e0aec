// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.List;
import org.emplace.compiler.binding.Binding.VersionBinding;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Program.Version;

/**
 * A version of a program, its procedures named.
 *
 * @param name the class of its numbers and procedures; the names of its other classes begin with this one
 * @param operations those of the procedures whose calls are lists of operations
 */
public record RemoteProgram(
        Program program,
        Version version,
        JavaName name,
        VersionBinding binding,
        List<RemoteProcedure> procedures,
        List<RemoteOperations> operations) {

    /** The client. */
    public JavaName client() {
        return companion("Client");
    }

    /** The interface of a server that answers at once. */
    public JavaName server() {
        return server(name);
    }

    /** The interface of a server that answers at once, of the version whose class has this name. */
    static JavaName server(JavaName name) {
        return companion(name, "Server");
    }

    /** The interface of a server that answers by stages. */
    public JavaName asyncServer() {
        return companion("AsyncServer");
    }

    /** All classes of the package that it becomes. */
    public List<JavaName> classes() {
        return List.of(name, client(), server(), asyncServer());
    }

    private JavaName companion(String suffix) {
        return companion(name, suffix);
    }

    private static JavaName companion(JavaName name, String suffix) {
        return JavaName.of(name.packageName(), name.simpleName() + suffix);
    }
}
