// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What may know what: source, preprocess, syntax, link, model, binding, emit, one way only; diagnostic beside all. */
@AnalyzeClasses(packages = "org.emplace.compiler", importOptions = DoNotIncludeTests.class)
class StructureTest {

    @ArchTest
    static final ArchRule theStagesKnowOnlyWhatStandsBeforeThem = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("source")
            .definedBy("org.emplace.compiler.source")
            .layer("diagnostic")
            .definedBy("org.emplace.compiler.diagnostic")
            .layer("preprocess")
            .definedBy("org.emplace.compiler.preprocess")
            .layer("syntax")
            .definedBy("org.emplace.compiler.syntax")
            .layer("link")
            .definedBy("org.emplace.compiler.link")
            .layer("model")
            .definedBy("org.emplace.compiler.model")
            .layer("binding")
            .definedBy("org.emplace.compiler.binding")
            .layer("javamodel")
            .definedBy("org.emplace.compiler.javamodel")
            .layer("emit")
            .definedBy("org.emplace.compiler.emit..")
            .layer("document")
            .definedBy("org.emplace.compiler.document")
            .layer("compare")
            .definedBy("org.emplace.compiler.compare")
            .layer("suggest")
            .definedBy("org.emplace.compiler.suggest")
            .layer("starter")
            .definedBy("org.emplace.compiler.starter")
            .layer("capture")
            .definedBy("org.emplace.compiler.capture")
            .layer("output")
            .definedBy("org.emplace.compiler.output")
            .layer("facade")
            .definedBy("org.emplace.compiler")
            .layer("extract")
            .definedBy("org.emplace.compiler.extract")
            .layer("cli")
            .definedBy("org.emplace.compiler.cli")
            .whereLayer("source")
            .mayNotAccessAnyLayer()
            .whereLayer("diagnostic")
            .mayOnlyAccessLayers("source")
            .whereLayer("preprocess")
            .mayOnlyAccessLayers("source", "diagnostic")
            .whereLayer("syntax")
            .mayOnlyAccessLayers("source", "diagnostic", "preprocess")
            .whereLayer("model")
            .mayOnlyAccessLayers("source")
            .whereLayer("link")
            .mayOnlyAccessLayers("source", "diagnostic", "preprocess", "syntax", "model")
            .whereLayer("binding")
            .mayOnlyAccessLayers("source", "diagnostic", "syntax", "link", "model")
            .whereLayer("javamodel")
            .mayOnlyAccessLayers("source", "diagnostic", "model", "binding")
            .whereLayer("emit")
            .mayOnlyAccessLayers("source", "model", "binding", "javamodel")
            .whereLayer("extract")
            .mayNotAccessAnyLayer()
            .whereLayer("document")
            .mayOnlyAccessLayers("model", "binding")
            .whereLayer("compare")
            .mayOnlyAccessLayers("model", "binding", "javamodel", "emit")
            .whereLayer("suggest")
            .mayOnlyAccessLayers("source", "diagnostic", "model", "binding")
            .whereLayer("starter")
            .mayOnlyAccessLayers("model", "binding", "javamodel", "emit", "suggest")
            .whereLayer("capture")
            .mayOnlyAccessLayers("model", "binding")
            .whereLayer("output")
            .mayOnlyAccessLayers("source")
            .whereLayer("cli")
            .mayOnlyAccessLayers(
                    "facade",
                    "output",
                    "extract",
                    "diagnostic",
                    "preprocess",
                    "source",
                    "model",
                    "binding",
                    "javamodel",
                    "document",
                    "compare",
                    "capture",
                    "suggest",
                    "starter");

    @ArchTest
    static final ArchRule whatIsEmittedIsMadeOfItsParts = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("emit")
            .definedBy("org.emplace.compiler.emit")
            .layer("programs")
            .definedBy("org.emplace.compiler.emit.programs")
            .layer("types")
            .definedBy("org.emplace.compiler.emit.types")
            .layer("mappings")
            .definedBy("org.emplace.compiler.emit.mappings")
            .layer("code")
            .definedBy("org.emplace.compiler.emit.code")
            .whereLayer("code")
            .mayNotAccessAnyLayer()
            .whereLayer("mappings")
            .mayOnlyAccessLayers("code")
            .whereLayer("types")
            .mayOnlyAccessLayers("mappings", "code")
            .whereLayer("programs")
            .mayOnlyAccessLayers("types", "mappings", "code");

    @ArchTest
    static final ArchRule onlySyntaxKnowsAntlr = noClasses()
            .that()
            .resideOutsideOfPackage("..syntax")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.antlr..");

    @ArchTest
    static final ArchRule onlyEmitKnowsJavaPoet = noClasses()
            .that()
            .resideOutsideOfPackage("..emit..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.palantir..");

    @ArchTest
    static final ArchRule onlyTheCommandKnowsPicocli = noClasses()
            .that()
            .resideOutsideOfPackage("..cli")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("picocli..");
}
