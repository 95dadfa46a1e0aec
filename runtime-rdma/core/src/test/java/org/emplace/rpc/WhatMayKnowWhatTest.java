// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** The arrows between the parts of this module; generated packages belong to the package above them. */
class WhatMayKnowWhatTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importUrl(Rpc.class.getProtectionDomain().getCodeSource().getLocation());

    private static final String RPC = "org.emplace.rpc..";
    private static final String TCP = "org.emplace.rpc.tcp..";
    private static final String XDR = "org.emplace.xdr..";
    private static final String RDMA = "org.emplace.rdma..";
    private static final String IWARP = "org.emplace.rdma.iwarp..";
    private static final String RPCRDMA = "org.emplace.rpcrdma..";

    @Test
    void rpcKnowsNoRdma() {
        none(RPC, RDMA, RPCRDMA);
    }

    @Test
    void rdmaKnowsNoRpcAndNoXdr() {
        none(RDMA, RPC, RPCRDMA, XDR);
    }

    @Test
    void rpcOverRdmaKnowsTheRdmaInterfacesButNoProviderAndNoOtherTransport() {
        none(RPCRDMA, IWARP, TCP);
    }

    @Test
    void nobodyKnowsAProviderOrATransport() {
        noClasses()
                .that()
                .resideOutsideOfPackages(IWARP)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(IWARP)
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackages(TCP)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(TCP)
                .check(CLASSES);
    }

    private static void none(String from, String... to) {
        noClasses()
                .that()
                .resideInAPackage(from)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(to)
                .check(CLASSES);
    }
}
