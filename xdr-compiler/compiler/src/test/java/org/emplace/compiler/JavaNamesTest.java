// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.javamodel.JavaClass;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.source.SourceFile;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The words that XDR names consist of, and names whose words differ only in case. */
class JavaNamesTest {

    @ParameterizedTest
    @CsvSource({
        "SCPQuorumSet, ScpQuorumSet",
        "ExtendFootprintTTLOp, ExtendFootprintTtlOp",
        "ClaimableBalanceIDType, ClaimableBalanceIdType",
        "HTTPServerURL, HttpServerUrl",
        "SCVal, ScVal",
        "SCSpecUDTUnionCaseV0, ScSpecUdtUnionCaseV0",
        "IPv4Address, Ipv4Address",
        "NFSv4Op, Nfsv4Op",
        "TLSv1Config, Tlsv1Config",
        "SMBv2, Smbv2",
        "RoCEv2Hdr, RoCev2Hdr",
        "HTTPVersion, HttpVersion",
        "TTL, Ttl",
        "ABTest, AbTest",
        "X509Cert, X509Cert",
        "READ3resok, Read3Resok",
        "GETATTR3args, Getattr3Args",
        "SHA256Hash, Sha256Hash",
        "URLs, Urls",
        "nodeIDs, NodeIds",
        "URLsByHost, UrlsByHost",
        "IDSet, IdSet",
        "post_op_attr, PostOpAttr",
        "NFS_FHSize, NfsFhSize"
    })
    void aWordBeginsAtTheLastCapitalBeforeASmallLetter(String xdr, String java) {
        JavaModel model = Sources.meaning("struct " + xdr + " { int x; };");

        assertThat(model.classes()).extracting(each -> each.name().simpleName()).containsExactly(java);
    }

    @ParameterizedTest
    @CsvSource({
        "maxTTLSeconds, maxTtlSeconds",
        "nfsFHSize, nfsFhSize",
        "IOErrors, ioErrors",
        "UUIDv4, uuidv4",
        "IPv4Addr, ipv4Addr",
        "qSet, qSet",
        "rdma_xid, rdmaXid",
        "numURLs, numUrls"
    })
    void membersAreSplitInTheSameWay(String xdr, String java) {
        JavaModel model = Sources.meaning("struct s { int " + xdr + "; };");

        assertThat(model.classes())
                .singleElement()
                .isInstanceOfSatisfying(
                        JavaClass.Structure.class,
                        structure -> assertThat(structure.components())
                                .extracting(each -> each.name())
                                .containsExactly(java));
    }

    @ParameterizedTest
    @CsvSource({
        "getIPAddr, getIpAddr, GET_IP_ADDR",
        "GETATTR, getattr, GETATTR",
        "dumpURLs, dumpUrls, DUMP_URLS",
        "getNFSv4Id, getNfsv4Id, GET_NFSV4ID"
    })
    void proceduresAndTheirNumbersAreSplitInTheSameWay(String xdr, String method, String constant) {
        JavaModel model = Sources.meaning("program P { version V { void " + xdr + "(void) = 1; } = 1; } = 0x20000001;");

        assertThat(model.programs().get(0).procedures()).singleElement().satisfies(procedure -> {
            assertThat(procedure.method()).isEqualTo(method);
            assertThat(procedure.constant()).isEqualTo(constant);
        });
    }

    /** Two spellings of a name either give two Java names, whose files differ also where case is ignored, or an error. */
    @RepeatedTest(200)
    void spellingsThatDifferOnlyInCaseNeverCollideSilently(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        String letters = random.ints(2 + random.nextInt(8), 0, 6)
                .mapToObj("abcd2_"::charAt)
                .map(String::valueOf)
                .collect(Collectors.joining("", "a", ""));
        String first = spelled(letters, random);
        String second = spelled(letters, random);
        if (first.equals(second)) {
            return;
        }
        for (String definitions : List.of(
                "struct %s { int x; }; struct %s { int x; };",
                "enum %s { ONE = 1 }; union %s switch (int x) { case 1: int y; default: void; };",
                "struct holder { int %s; int %s; int c; int d; int e; };",
                "const %s = 1; const %s = 2; union holder switch (int x) { case %1$s: int v; case %2$s: int w; };",
                "struct holder { struct { int x; } %s; struct { int x; } %s; };",
                "program P { version V { void %s(void) = 1; void %s(int, int) = 2; } = 1; } = 0x20000001;",
                "program P { version V { void Z(int %s, int %s) = 1; } = 1; } = 0x20000001;")) {
            String xdr = definitions.formatted(first, second);
            Analysis analysis = XdrCompiler.analyze(List.of(new SourceFile("test.x", xdr)));
            boolean hasErrors =
                    analysis.diagnostics().stream().anyMatch(each -> each.severity() == Diagnostic.Severity.ERROR);
            if (hasErrors) {
                assertThat(analysis.diagnostics())
                        .as(xdr)
                        .filteredOn(each -> each.severity() == Diagnostic.Severity.ERROR)
                        .extracting(Diagnostic::code)
                        .containsOnly("E226");
            } else {
                isDistinct(analysis.meaning().orElseThrow(), xdr);
            }
        }
    }

    private static void isDistinct(JavaModel model, String xdr) {
        assertThat(model.classes())
                .as(xdr)
                .extracting(each -> each.name().fileName().toLowerCase(Locale.ROOT))
                .doesNotHaveDuplicates();
        model.classes().forEach(each -> {
            if (each instanceof JavaClass.Structure structure) {
                assertThat(structure.components())
                        .as(xdr)
                        .extracting(component -> component.name())
                        .doesNotHaveDuplicates();
            } else if (each instanceof JavaClass.Union union) {
                assertThat(union.arms())
                        .as(xdr)
                        .extracting(arm -> arm.name().fileName().toLowerCase(Locale.ROOT))
                        .doesNotHaveDuplicates();
            }
        });
        model.programs().forEach(program -> {
            assertThat(program.procedures())
                    .as(xdr)
                    .extracting(each -> each.method())
                    .doesNotHaveDuplicates();
            assertThat(program.procedures())
                    .as(xdr)
                    .extracting(each -> each.constant())
                    .doesNotHaveDuplicates();
            program.procedures()
                    .forEach(each -> assertThat(each.parameters())
                            .as(xdr)
                            .extracting(parameter -> parameter.name())
                            .doesNotHaveDuplicates());
        });
    }

    private static String spelled(String letters, Random random) {
        return letters.chars()
                .map(c -> random.nextBoolean() ? Character.toUpperCase(c) : c)
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }
}
