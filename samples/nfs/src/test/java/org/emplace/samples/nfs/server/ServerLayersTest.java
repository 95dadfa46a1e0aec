// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.channels.FileChannel;
import org.emplace.samples.nfs.server.store.FileId;

/** Program → exports → store, program → state, and paths below a store only. */
@AnalyzeClasses(packages = "org.emplace.samples.nfs.server", importOptions = ImportOption.DoNotIncludeTests.class)
class ServerLayersTest {
    @ArchTest
    static final ArchRule storesKnowNothingAboveThem = noClasses()
            .that()
            .resideInAPackage("..server.store..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "..server", "..server.export..", "..server.program..", "..server.command..", "..nfs.protocol..");

    @ArchTest
    static final ArchRule storesDoNotKnowEachOther =
            slices().matching("..server.store.(*)").should().notDependOnEachOther();

    @ArchTest
    static final ArchRule exportsKnowNoProtocol = noClasses()
            .that()
            .resideInAPackage("..server.export..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "..server", "..server.program..", "..server.command..", "..nfs.protocol..", "..store.*..");

    @ArchTest
    static final ArchRule stateKnowsFilesById = noClasses()
            .that()
            .resideInAPackage("..server.state..")
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                            "..server",
                            "..server.export..",
                            "..server.program..",
                            "..server.command..",
                            "..server.status..",
                            "..server.store..",
                            "..nfs.protocol..",
                            "org.emplace.rpc..",
                            "org.emplace.xdr..",
                            "java.nio.file..",
                            "java.io..",
                            "java.net..")
                    .and(not(equivalentTo(FileId.class))));

    @ArchTest
    static final ArchRule storesAndExportsKeepNoState = noClasses()
            .that()
            .resideInAnyPackage("..server.store..", "..server.export..", "..server.status..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("..server.state..");

    @ArchTest
    static final ArchRule statisticsKnowNothingElseOfTheServer = noClasses()
            .that()
            .resideInAPackage("..server.status..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "..server",
                    "..server.export..",
                    "..server.program..",
                    "..server.command..",
                    "..server.store..",
                    "..nfs.protocol..");

    @ArchTest
    static final ArchRule programsKnowNoPaths = noClasses()
            .that()
            .resideInAPackage("..server.program..")
            .should()
            .dependOnClassesThat()
            .haveNameMatching("java\\.nio\\.file\\.(Path|Paths|Files|FileSystem|FileSystems)|java\\.io\\.File")
            .orShould()
            .callMethod(FileChannel.class, "open", java.nio.file.Path.class, java.nio.file.OpenOption[].class);
}
