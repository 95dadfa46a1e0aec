// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.extract;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class XdrExtractorTest {

    @Test
    void markedLinesAreTheXdr() {
        assertThat(XdrExtractor.extract("""
                   The structure of an album is an enum of its own:

                   <CODE BEGINS>
                   /// struct point {
                   ///         int x;
                   ///
                   /// };
                   <CODE ENDS>
                   struct other { int y; };
                """)).isEqualTo("struct point {\n        int x;\n\n};\n");
    }

    @Test
    void otherwiseCodeBlocksAreTheXdr() {
        assertThat(XdrExtractor.extract("""
                   const OUTSIDE = 1;
                   <CODE BEGINS> file "album.x"
                   const INSIDE = 2;
                   <CODE ENDS>
                """)).isEqualTo("const INSIDE = 2;\n\n");
    }

    @Test
    void otherwiseEveryDefinitionInTheTextIs() {
        assertThat(XdrExtractor.extract("""
                1.  Albums

                   struct is a word of C.  The
                   enum that follows has all colors; others are refused.

                      /* Colors. */
                      enum color {
                          RED = 0,   /* { */
                          . . .
                      };

                   union paint switch (color c) {
                   case RED:
                       int x;
                   };
                      typedef opaque data<8>;
                """)).isEqualTo("""
                /* Colors. */
                enum color {
                    RED = 0,   /* { */
                /* ... */
                };

                union paint switch (color c) {
                case RED:
                    int x;
                };

                typedef opaque data<8>;

                """);
    }

    @Test
    void pagesLeaveNoTrace() {
        String pages = """
                struct point {
                    int x;


                Author       Standards Track       [Page 7]
                ^L
                RFC 9999      Albums       May 2010


                    int y;
                };
                """;
        String xdr = "struct point {\n    int x;\n\n    int y;\n};\n\n";

        assertThat(XdrExtractor.extract(pages)).isEqualTo(xdr);
        assertThat(XdrExtractor.extract(pages.replace("^L", "\f"))).isEqualTo(xdr);
    }

    @Test
    void aTextWithoutXdrGivesNothing() {
        assertThat(XdrExtractor.extract("struct point {\n  never ends\n\n  and goes on"))
                .isEmpty();
        assertThat(XdrExtractor.extract("")).isEmpty();
    }
}
