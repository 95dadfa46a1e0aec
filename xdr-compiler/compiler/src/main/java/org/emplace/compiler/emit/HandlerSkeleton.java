// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.JavaFile;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeSpec;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.emit.code.Javadoc;
import org.emplace.compiler.emit.code.Layout;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.emit.programs.ServerEmitter;
import org.emplace.compiler.emit.types.Signature;
import org.emplace.compiler.javamodel.JavaName;
import org.emplace.compiler.javamodel.RemoteProcedure;
import org.emplace.compiler.javamodel.RemoteProgram;

/**
 * Writes the class that a user's server begins with. {@code xdrc init} writes it once. It then belongs to the user, and the compiler does not
 * generate it again.
 */
public final class HandlerSkeleton {
    private HandlerSkeleton() {}

    /** The source of a class that implements a program's server interface and answers PROC_UNAVAIL to each procedure. */
    public static String source(RemoteProgram program, JavaName name) {
        ClassName server = Library.generated(program.server());
        TypeSpec.Builder type = TypeSpec.classBuilder(name.simpleName())
                .addModifiers(Modifier.FINAL)
                .addSuperinterface(server)
                .addJavadoc(Javadoc.sentence("Answers the calls of {@code "
                        + program.program().name() + "} version "
                        + program.version().number()
                        + ". {@code ProcedureUnavailableException} becomes the answer PROC_UNAVAIL."));
        ServerEmitter.answered(program).map(HandlerSkeleton::method).forEach(type::addMethod);
        return Layout.print(JavaFile.builder(name.packageName(), type.build())
                .indent("    ")
                .skipJavaLangImports(true)
                .build());
    }

    private static MethodSpec method(RemoteProcedure procedure) {
        return MethodSpec.methodBuilder(procedure.method())
                .addAnnotation(Override.class)
                .addModifiers(Modifier.PUBLIC)
                .returns(Signature.returned(procedure))
                .addParameters(ServerEmitter.parameters(procedure))
                .addException(Exception.class)
                .addStatement("throw new $T()", Library.PROCEDURE_UNAVAILABLE)
                .build();
    }
}
