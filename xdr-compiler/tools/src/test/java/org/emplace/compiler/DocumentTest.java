// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.emplace.compiler.document.BindingDocument;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.source.SourceFile;
import org.junit.jupiter.api.Test;

/** {@code -Dcorpus.refresh=true} writes {@code docs/nfs3-binding.html} anew. */
class DocumentTest {

    private static final Path NFS3 = Path.of("../../docs/nfs3-binding.html");

    private static final String ALBUM = """
            struct picture { string title<100>; /*@ddp eligible */ opaque pixels<4000000>; };
            union found switch (bool present) { case TRUE: picture found; case FALSE: void; };
            program ALBUM {
                /*@ddp port 20200 */
                version V {
                    /* Keeps <it>. */
                    void KEEP(picture) = 1;
                    found FIND(int) = 2;
                    /*@ddp reply-size args + 16 */
                    string LIST(unsigned int) = 3;
                } = 1;
            } = 0x20000001;
            """;

    @Test
    void theDocumentedBindingOfNfsVersion3IsCurrent() throws IOException {
        JavaModel meaning = Sources.meaning(List.of(SourceFile.read(Path.of("../../spec/nfs3.x"), "nfs3.x")));
        String page = BindingDocument.html(meaning.protocol(), meaning.binding(), "NFS version 3 over RDMA");
        if (Boolean.getBoolean("corpus.refresh")) {
            Files.writeString(NFS3, page);
        }
        assertThat(page).isEqualTo(Files.readString(NFS3));
    }

    @Test
    void aCallShowsWhatStaysInlineAndItsReadChunk() {
        assertThat(markdown())
                .contains("| RPC call header | title, count of pixels | [Read chunk: picture.pixels] |")
                .contains("- Read chunk 1 may carry `args.pixels`: 4,000,000 bytes.");
    }

    @Test
    void aReplyShowsWhichWriteChunkTakesWhichResult() {
        assertThat(markdown())
                .contains("| RPC reply header | present, title, count of pixels | [Write chunk: picture.pixels] |")
                .contains("- Write chunk 1 takes `results.found.pixels`: at most 4,000,000 bytes.");
    }

    @Test
    void sizesAreComparedWithTheInlineThreshold() {
        assertThat(markdown())
                .contains(
                        "**Call.** At most 200 bytes with its headers and without its eligible items: always fits inline.")
                .contains(
                        "**Reply.** At most args + 16 bytes, and 52 bytes of headers: goes by Reply chunk if it is larger than 1,024 bytes.");
    }

    @Test
    void gapsOfTheBindingAreReported() {
        JavaModel meaning = Sources.meaning(ALBUM.replace("/*@ddp port 20200 */", ""));

        assertThat(BindingDocument.markdown(meaning.protocol(), meaning.binding(), "t"))
                .contains("| open | rpcbind port for RDMA transports | RFC 8166 sections 5 and 6 | None is assigned");
    }

    @Test
    void absentResultsAreNoGapInTheBinding() {
        assertThat(markdown("""
                struct piece { /*@ddp eligible */ opaque data<4096>; };
                union part switch (bool present) { case TRUE: piece it; case FALSE: void; };
                struct both { part first; part second; };
                program P { /*@ddp port 20200 */ version V { both GET(void) = 1; } = 1; } = 0x20000001;
                """))
                .contains("| stated | Which Write chunk takes which result |")
                .contains("one that is absent takes none. |")
                .contains(
                        "- Write chunk 1 takes `results.first.it.data`; if results before are absent, `results.second.it.data`.")
                .contains("- Write chunk 2 takes `results.second.it.data`.");
    }

    @Test
    void anArrayOfUnknownLengthIsAGap() {
        assertThat(markdown("""
                struct piece { /*@ddp eligible */ opaque data<100000>; };
                typedef piece pieces<>;
                program P { /*@ddp port 20200 */ version V { pieces GET(void) = 1; } = 1; } = 0x20000001;
                """))
                .contains("| open | Which Write chunk takes which result |")
                .contains(
                        "The requester does not know how many Write chunks to offer for GET: in a reply where results has more");
    }

    @Test
    void aResultWithoutABoundHasAChunkAllTheSame() {
        assertThat(markdown("""
                struct piece { /*@ddp eligible */ opaque data<>; };
                struct both { piece *first; piece *second; };
                program P { /*@ddp port 20200 */ version V { both GET(void) = 1; } = 1; } = 0x20000001;
                """))
                .contains("| stated | Which Write chunk takes which result |")
                .contains("| open | Write lists are offered for eligible results |")
                .contains("its chunk is as large as the caller's destination or, without one, as the caller's limit");
    }

    @Test
    void noMoreChunksAreShownThanTheBindingAllows() {
        assertThat(markdown("""
                struct piece { int number; opaque rest<4000>; /*@ddp eligible */ opaque data<100000>; };
                typedef piece pieces<16>;
                program P {
                    /*@ddp port 20200 */
                    version V { /*@ddp write-chunks 2 */ pieces GET(void) = 1; } = 1;
                } = 0x20000001;
                """))
                .contains("- Write chunk 2 takes `results[1].data`.")
                .doesNotContain("- Write chunk 3")
                .containsPattern(
                        "At most [0-9,]+ bytes without its eligible items, and [0-9]+ bytes of headers: goes by");
    }

    @Test
    void eachChunkShowsTheElementsThatItCanTake() {
        assertThat(markdown("""
                struct pair { /*@ddp eligible */ opaque a<4096>; /*@ddp eligible */ opaque b<4096>; };
                union arms switch (int kind) { case 0: pair both; case 1: /*@ddp eligible */ opaque one<2048>; default: void; };
                struct all { pair pairs[2]; arms chosen; /*@ddp eligible */ opaque tail<2048>; };
                program P { /*@ddp port 20200 */ version V { all GET(void) = 1; } = 1; } = 0x20000001;
                """)).contains("""
                        - Each `results.pairs[].a` takes a Write chunk of its own: at most 4,096 bytes.
                        - Each `results.pairs[].b` takes a Write chunk of its own: at most 4,096 bytes.
                        - `results.chosen.both.a` takes a Write chunk of its own: at most 4,096 bytes.
                        - `results.chosen.both.b` takes a Write chunk of its own: at most 4,096 bytes.
                        - `results.chosen.one` takes a Write chunk of its own: at most 2,048 bytes.
                        - `results.tail` takes a Write chunk of its own: at most 2,048 bytes.
                        - Write chunk 1 takes `results.pairs[0].a`.
                        - Write chunk 2 takes `results.pairs[0].b`.
                        - Write chunk 3 takes `results.pairs[1].a`.
                        - Write chunk 4 takes `results.pairs[1].b`.
                        - Write chunk 5 takes `results.chosen.both.a` or `results.chosen.one`; if results before are absent, `results.tail`.
                        - Write chunk 6 takes `results.chosen.both.b`; if results before are absent, `results.tail`.
                        - Write chunk 7 takes `results.tail`.
                        """);
    }

    @Test
    void elementsHaveChunksOfTheirOwnAndNoBoundBetweenThem() {
        JavaModel meaning = Sources.meaning("""
                struct piece { int number; /*@ddp eligible; size 512 */ opaque data<>; };
                typedef piece pieces<>;
                program P {
                    /*@ddp port 20200 */
                    version V {
                        /*@ddp reply-size 4096 */
                        pieces GET(void) = 1;
                    } = 1;
                } = 0x20000001;
                """);

        assertThat(BindingDocument.markdown(meaning.protocol(), meaning.binding(), "t"))
                .contains("- Each `results[].data` takes a Write chunk of its own: at most 512 bytes.");
    }

    @Test
    void longMessagesInBackwardDirectionCannotBeSent() {
        JavaModel meaning = Sources.meaning("""
                program CALLBACK {
                    /*@ddp direction backward */
                    version V { void TELL(string) = 1; } = 1;
                } = 0x40000000;
                """);

        assertThat(BindingDocument.markdown(meaning.protocol(), meaning.binding(), "t"))
                .contains("| TELL | inline or not at all | inline |")
                .contains("Nothing bounds it: cannot be sent if it is larger than 1,024 bytes.")
                .doesNotContain("Position Zero", "Reply chunk");
    }

    @Test
    void commentsAreEscapedInHtml() {
        JavaModel meaning = Sources.meaning(ALBUM);

        assertThat(BindingDocument.html(meaning.protocol(), meaning.binding(), "A & B"))
                .contains("<title>A &amp; B</title>", "<p>Keeps &lt;it&gt;.</p>")
                .doesNotContain("http://", "https://", "<script");
    }

    private static String markdown() {
        return markdown(ALBUM);
    }

    private static String markdown(String text) {
        JavaModel meaning = Sources.meaning(text);
        return BindingDocument.markdown(meaning.protocol(), meaning.binding(), "Album");
    }
}
