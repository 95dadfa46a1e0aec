// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.io.File;
import java.io.IOException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.emplace.compiler.Analysis;
import org.emplace.compiler.XdrCompiler;

/**
 * Checks XDR files with their Upper Layer Binding without generating anything. Fails if {@code generate} would fail, and with
 * {@code failOnWarning} also if it would warn. Reads the files every time.
 */
@Mojo(
        name = "check",
        defaultPhase = LifecyclePhase.VERIFY,
        requiresDependencyResolution = ResolutionScope.COMPILE,
        threadSafe = true)
public final class CheckMojo extends XdrMojo {

    /** The folder with the module's XDR files. It need not exist if {@code files} or {@code specs} name some. */
    @Parameter(defaultValue = "${project.basedir}/src/main/xdr")
    @SuppressWarnings("NullAway.Init") // set by Maven
    private File sourceDirectory;

    /** If true, a warning fails the build, as an error does. */
    @Parameter(property = "emplace.failOnWarning", defaultValue = "false")
    private boolean failOnWarning;

    @Override
    void run() throws IOException, MisconfiguredException, MojoFailureException {
        InputRequest request = input(sourceDirectory);
        try (InputFiles files = InputFiles.open(request)) {
            Analysis read = XdrCompiler.analyze(files.sources(), request.options());
            Messages messages = Messages.of(read.diagnostics(), read.files(), request.baseDirectory());
            report(messages);
            int warnings = messages.warnings().size();
            if (failOnWarning && warnings > 0) {
                throw new MojoFailureException(
                        (warnings == 1 ? "1 warning" : warnings + " warnings") + " in the XDR files of "
                                + project().getArtifactId() + "; <failOnWarning> treats them as errors");
            }
            int checked = files.own();
            getLog().info(checked + (checked == 1 ? " XDR file" : " XDR files") + " checked");
        }
    }
}
