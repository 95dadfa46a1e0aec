// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

/** What files for rpcgen and other compilers contain beyond the language of the RFCs becomes Java that compiles. */
class ExistingFilesTest extends CompilerTest {
    @Test
    void namesOfProgramsVersionsAndProceduresAreNumbers() throws IOException {
        SortedMap<String, String> sources = generated("""
                union callbody switch (unsigned int proc) {
                case CALC_ADD:
                    int pair[2];
                case CALC_NEG:
                    int one;
                default:
                    void;
                };
                const CALC_LAST = CALC_NEG;
                const CALC_NUMBER = CALC;
                typedef opaque some<CALC_V1>;
                program CALC {
                    version CALC_V1 {
                        int CALC_ADD(int) = 1;
                        int CALC_NEG(int) = 2;
                        int CALC_ANY(callbody) = 3;
                    } = 1;
                } = 0x20000601;
                """);

        assertThat(javac(sources)).isEmpty();
        assertThat(sources.get("p/q/Constants.java")).contains("CALC_LAST = 2;", "CALC_NUMBER = 536872449;");
        assertThat(sources.get("p/q/Callbody.java")).contains("record CalcAdd(", "record CalcNeg(");
    }

    @Test
    void aUnionOfOneArmForAllValuesIsWrittenWithACaseThatNoValueSelects() throws IOException {
        SortedMap<String, String> sources = generated("""
                enum nst { N_OK = 0, N_ERR = 5 };
                struct wcc { int a; };
                union res switch (nst status) {
                case -1:
                    void;
                default:
                    wcc w;
                };
                union gap switch (nst status) {
                case 3:
                case N_OK:
                    int reason;
                default:
                    void;
                };
                union truth switch (bool is) {
                case 2:
                    void;
                default:
                    wcc w;
                };
                program P { version V { res GET(gap) = 1; truth TELL(void) = 2; } = 1; } = 0x20000602;
                """);

        assertThat(javac(sources)).isEmpty();
        assertThat(sources.get("p/q/Res.java"))
                .contains("record Default(Nst status, Wcc w)")
                .doesNotContain("CaseMinus1");
        assertThat(sources.get("p/q/Gap.java")).contains("record NOk(int reason)");
    }

    @Test
    void typesOfLinesForCAndQualifiedNamesAreUnderstood() throws IOException {
        SortedMap<String, String> sources = generated("""
                %#define size_type uint64_t
                %typedef struct pair pair_type;
                namespace geo {
                struct pair { int a; int b; };
                const MOST = 8;
                }
                struct s {
                    size_type size;
                    pair_type first;
                    geo::pair others<geo::MOST>;
                    rpcprog_t number;
                    rpcvers_t revision;
                    netbuf address;
                };
                """);

        assertThat(javac(sources)).isEmpty();
        assertThat(sources.get("p/q/S.java"))
                .contains(
                        "long size",
                        "Pair first",
                        "List<Pair> others",
                        "long number",
                        "long revision",
                        "Netbuf address");
    }

    @Test
    void acronymsAreWords() throws IOException {
        SortedMap<String, String> sources = generated("""
                struct SCPQuorumSet { unsigned int threshold; int maxTTLSeconds; int IOErrors; };
                enum ClaimableBalanceIDType { CB_V0 = 0 };
                struct HTTPServerURL { SCPQuorumSet qSet; ClaimableBalanceIDType nfsFHKind; };
                """);

        assertThat(javac(sources)).isEmpty();
        assertThat(sources.keySet())
                .contains("p/q/ScpQuorumSet.java", "p/q/ClaimableBalanceIdType.java", "p/q/HttpServerUrl.java");
        assertThat(sources.get("p/q/ScpQuorumSet.java")).contains("int maxTtlSeconds", "int ioErrors");
    }
}
