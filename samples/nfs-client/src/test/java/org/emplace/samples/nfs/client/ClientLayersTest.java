// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Copies use files, files use mounts, mounts use contents, contents use calls; never the other way. */
@AnalyzeClasses(packages = "org.emplace.samples.nfs.client", importOptions = ImportOption.DoNotIncludeTests.class)
class ClientLayersTest {
    @ArchTest
    static final ArchRule layersUseThoseBelowThem = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("copy")
            .definedBy("..client.copy")
            .layer("files")
            .definedBy("..client.files")
            .layer("mount")
            .definedBy("..client.mount")
            .layer("contents")
            .definedBy("..client.contents")
            .layer("calls")
            .definedBy("..client.calls")
            .layer("names")
            .definedBy("..client")
            .whereLayer("copy")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("files")
            .mayOnlyBeAccessedByLayers("copy")
            .whereLayer("mount")
            .mayOnlyBeAccessedByLayers("files")
            .whereLayer("contents")
            .mayOnlyBeAccessedByLayers("files", "mount")
            .whereLayer("names")
            .mayNotAccessAnyLayer();
}
