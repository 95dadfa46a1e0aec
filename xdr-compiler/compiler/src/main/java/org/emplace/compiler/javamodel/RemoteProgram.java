// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.List;
import org.emplace.compiler.binding.Binding.VersionBinding;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Program.Version;

/**
 * A version of a program with the names of its procedures.
 *
 * @param name the class with its numbers and procedures; the names of its other classes begin with this one
 * @param operations the procedures whose calls are lists of operations
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
        return companion(name, "Client");
    }

    /** The interface of a synchronous server. */
    public JavaName server() {
        return server(name);
    }

    /** The interface of a synchronous server for the version whose class has this name. */
    static JavaName server(JavaName name) {
        return companion(name, "Server");
    }

    /** The interface of an asynchronous server. */
    public JavaName asyncServer() {
        return companion(name, "AsyncServer");
    }

    /** All classes of the version in the package. */
    public List<JavaName> classes() {
        return List.of(name, client(), server(), asyncServer());
    }

    private static JavaName companion(JavaName name, String suffix) {
        return JavaName.of(name.packageName(), name.simpleName() + suffix);
    }
}
