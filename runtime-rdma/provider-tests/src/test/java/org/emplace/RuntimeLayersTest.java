// SPDX-License-Identifier: Apache-2.0
package org.emplace;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.stream.Stream;
import org.emplace.reactor.Acceptor;
import org.emplace.reactor.EventLoop;
import org.emplace.reactor.EventLoop.LoopLocal;
import org.emplace.reactor.FairShare;
import org.emplace.reactor.InstalledServices;
import org.emplace.reactor.IoHandler;
import org.emplace.reactor.LoopGroup;
import org.emplace.reactor.SocketHandler;
import org.emplace.reactor.Timers;
import org.junit.jupiter.api.Test;

/**
 * The allowed dependencies between the packages of the runtime. A generated package counts as part of its parent
 * package.
 */
class RuntimeLayersTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.emplace");

    private static final String RPC = "org.emplace.rpc..";
    private static final String TCP = "org.emplace.rpc.tcp..";
    private static final String CLIENT = "org.emplace.rpc.client..";
    private static final String SERVER = "org.emplace.rpc.server..";
    private static final String LIMITS = "org.emplace.rpc.limits..";
    private static final String SPI = "org.emplace.rpc.transport..";
    private static final String REACTOR = "org.emplace.reactor..";
    private static final String XDR = "org.emplace.xdr..";
    private static final String RDMA = "org.emplace.rdma..";
    private static final String SHARED = "org.emplace.rdma.provider..";
    private static final String IWARP = "org.emplace.rdma.iwarp..";
    private static final String VERBS = "org.emplace.rdma.verbs..";
    private static final String RPCRDMA = "org.emplace.rpcrdma..";

    @Test
    void packagesHaveNoCycles() {
        slices().matching("(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void theReactorDependsOnNoOtherPackage() {
        none(REACTOR, RPC, RDMA, RPCRDMA, XDR);
    }

    /** Other packages get an executor, a timekeeper or the shares of peers. */
    @Test
    void onlyTransportsOverTcpAndVerbsDependOnTheEventLoops() {
        noClasses()
                .that()
                .resideOutsideOfPackages(REACTOR, TCP, IWARP, VERBS)
                .should()
                .dependOnClassesThat(belongToAnyOf(
                        EventLoop.class,
                        LoopGroup.class,
                        LoopLocal.class,
                        IoHandler.class,
                        SocketHandler.class,
                        Acceptor.class,
                        FairShare.class,
                        Timers.class))
                .check(CLASSES);
    }

    /** The interfaces of RDMA need only the lookup of services. */
    @Test
    void theInterfacesOfRdmaDoNotDependOnTheReactorOtherwise() {
        noClasses()
                .that()
                .resideInAPackage("org.emplace.rdma")
                .should()
                .dependOnClassesThat(resideInAPackage(REACTOR).and(not(belongToAnyOf(InstalledServices.class))))
                .check(CLASSES);
    }

    @Test
    void theTwoHalvesOfRpcDoNotKnowEachOther() {
        none(CLIENT, SERVER);
        none(SERVER, CLIENT);
    }

    @Test
    void limitsKnowNeitherCallsNorTransports() {
        none(LIMITS, CLIENT, SERVER, SPI);
    }

    @Test
    void theTwoHalvesOfRpcDependOnNoTransport() {
        none(CLIENT, SPI);
        none(SERVER, SPI);
    }

    @Test
    void rpcDoesNotDependOnRdma() {
        none(RPC, RDMA, RPCRDMA);
    }

    @Test
    void rdmaDependsOnNeitherRpcNorXdr() {
        none(RDMA, RPC, RPCRDMA, XDR);
    }

    @Test
    void theInterfacesOfRdmaDependOnNeitherAProviderNorWhatProvidersShare() {
        layer("org.emplace.rdma", "");
    }

    @Test
    void whatProvidersShareDependsOnTheInterfacesOfRdmaAlone() {
        layer("org.emplace.rdma", ".provider", "");
    }

    @Test
    void onlyProvidersShareWhatCountsAndReportsTheirWork() {
        noClasses()
                .that()
                .resideOutsideOfPackages(SHARED, IWARP, VERBS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(SHARED)
                .check(CLASSES);
        classes()
                .that()
                .resideInAPackage(RDMA)
                .and()
                .haveSimpleNameContaining("Counter")
                .should()
                .resideInAPackage(SHARED)
                .check(CLASSES);
    }

    @Test
    void rpcOverRdmaDependsOnTheRdmaInterfacesButOnNoProviderOrOtherTransport() {
        none(RPCRDMA, SHARED, IWARP, VERBS, TCP);
    }

    @Test
    void nothingDependsOnAProviderOrATransport() {
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

    @Test
    void theLayersOfRpcOverRdmaDependOnlyOnThoseBelow() {
        String top = "org.emplace.rpcrdma";
        layer(top, "", ".requester", ".responder", ".link", ".memory", ".header");
        layer(top, ".requester", ".link", ".memory", ".header");
        layer(top, ".responder", ".link", ".memory", ".header");
        layer(top, ".link", ".memory", ".header");
        layer(top, ".memory", ".header");
        layer(top, ".header");
    }

    @Test
    void theLayersOfSoftwareIwarpDependOnlyOnThoseBelow() {
        String top = "org.emplace.rdma.iwarp";
        layer(top, ".queuepair", ".framing", ".memory");
        layer(top, ".framing", ".memory");
        layer(top, ".memory");
    }

    @Test
    void theLayersOfVerbsDependOnlyOnThoseBelow() {
        String top = "org.emplace.rdma.verbs";
        layer(top, ".setup", ".queuepair", ".device", ".connection", ".memory", ".event", ".jni");
        layer(top, ".queuepair", ".device", ".connection", ".memory", ".event", ".jni");
        layer(top, ".device", ".connection", ".memory", ".event", ".jni");
        layer(top, ".connection", ".event", ".jni");
        layer(top, ".memory", ".jni");
        layer(top, ".event", ".jni");
        layer(top, ".jni");
    }

    /** Verbs that were once used for several acts; docs/glossary.md has a verb for each of these. */
    @Test
    void aVerbStandsForOneKindOfAct() {
        // Objects go back to their pools, or all those of a call.
        assertThat(declaring("release"))
                .containsExactlyInAnyOrder(
                        "Batches",
                        "CallMemory",
                        "ChunkMemory",
                        "IncomingRdmaCall",
                        "OutgoingCall",
                        "OutgoingMessage",
                        "OutgoingMessages",
                        "PooledBuffer",
                        "ReceiveQueue",
                        "ReceivedMessage",
                        "RegisteredPool",
                        "ReplyBuffers",
                        "ResultChunk");
        // Indexes.
        assertThat(declaring("begin", "end")).containsExactlyInAnyOrder("Destinations", "Range");
        assertThat(declaring("began", "ended", "take")).isEmpty();
    }

    private static Stream<String> declaring(String... methods) {
        return CLASSES.stream()
                .filter(type -> type.getMethods().stream()
                        .anyMatch(method -> List.of(methods).contains(method.getName())))
                .map(JavaClass::getSimpleName);
    }

    /**
     * The classes of one package below {@code top} depend, of those below {@code top}, only on its own and on the
     * packages {@code below}.
     */
    private static void layer(String top, String name, String... below) {
        String[] known = Stream.concat(Stream.of(name), Stream.of(below))
                .map(top::concat)
                .toArray(String[]::new);
        classes()
                .that()
                .resideInAPackage(top + name)
                .should()
                .onlyDependOnClassesThat(resideOutsideOfPackage(top + "..").or(resideInAnyPackage(known)))
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
