// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.contract;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the suite in the lab's guest, without Maven: {@code LabRun LABEL [CLASS...]}. Without classes, it also runs the
 * tests of generated code's messages and of where results land (tests/codegen), and those of RPC-over-RDMA whose result
 * depends on a provider's threads and memory; all must be on the class path. Classes of the suite are given without their package. Those tagged
 * {@code faults} run only if they are given. Prints, like tests/interop/expect.sh, a line {@code ok - LABEL: ...} or
 * {@code not ok - LABEL: ...} for each test, with the failure below.
 */
public final class LabRun implements TestExecutionListener {
    /** The exit status if tests have failed; a JVM that crashes has others. */
    private static final int TESTS_FAILED = 10;

    private static final String MESSAGES = "org.emplace.tests.codegen.wire";
    private static final List<String> CALLS = List.of(
            "org.emplace.rpc.OrderlyCloseTest",
            "org.emplace.rpcrdma.ProxyTest",
            "org.emplace.rpc.SoakTest",
            "org.emplace.tests.codegen.mapping.MappingTest");

    private final PrintStream out;
    private final String label;
    private boolean failed;

    private LabRun(PrintStream out, String label) {
        this.out = out;
        this.label = label;
    }

    public static void main(String[] arguments) {
        List<DiscoverySelector> selectors = new ArrayList<>();
        if (arguments.length == 1) {
            selectors.add(selectPackage(LabRun.class.getPackageName()));
            selectors.add(selectPackage(MESSAGES));
            CALLS.forEach(name -> selectors.add(selectClass(name)));
        }
        Arrays.stream(arguments)
                .skip(1)
                .map(name -> name.contains(".") ? name : LabRun.class.getPackageName() + "." + name)
                .forEach(name -> selectors.add(selectClass(name)));
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectors)
                .configurationParameter("junit.jupiter.execution.timeout.default", "3 m");
        if (arguments.length == 1) {
            request.filters(TagFilter.excludeTags("faults"));
        }
        LabRun run = new LabRun(System.out, arguments[0]);
        LauncherFactory.create().execute(request.build(), run);
        // Exits even if a provider has left threads behind.
        System.exit(run.failed ? TESTS_FAILED : 0);
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        out.println("# left out: " + words(test) + ": " + reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        switch (result.getStatus()) {
            case SUCCESSFUL -> {
                if (test.isTest()) {
                    out.println("ok - " + label + ": " + words(test));
                }
            }
            case ABORTED ->
                out.println("# left out: " + words(test) + ": "
                        + result.getThrowable().map(Throwable::getMessage).orElse(""));
            case FAILED -> {
                failed = true;
                out.println("not ok - " + label + ": " + words(test));
                result.getThrowable().ifPresent(this::explain);
            }
        }
    }

    @Override
    public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
        entry.getKeyValuePairs().forEach((key, value) -> out.println("# " + label + ": " + key + ": " + value));
    }

    private void explain(Throwable failure) {
        failure.toString().lines().map("  # "::concat).forEach(out::println);
        Arrays.stream(failure.getStackTrace())
                .filter(frame -> frame.getClassName().startsWith("org.emplace"))
                .limit(8)
                .forEach(frame -> out.println("  #   at " + frame));
        if (failure.getCause() != null) {
            explain(failure.getCause());
        }
    }

    /** {@code aSendGathersItsPieces()} as words, and the case of a parameterized test. */
    private static String words(TestIdentifier test) {
        String method = test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getMethodName())
                .orElse(test.getDisplayName());
        String words =
                method.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT).strip();
        return test.getDisplayName().startsWith(method) ? words : words + " " + test.getDisplayName();
    }
}
