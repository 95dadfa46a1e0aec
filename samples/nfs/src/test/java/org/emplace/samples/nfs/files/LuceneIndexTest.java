// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Map;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.store.SimpleFSLockFactory;
import org.emplace.samples.nfs.client.command.ServedExport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Apache Lucene, which does not know NFS, keeps an index on a server. */
class LuceneIndexTest {
    private static final int DOCUMENTS = 400;
    private static final int COMMIT_EVERY = 100;
    private static final int KINDS = 4;

    @TempDir
    private Path temporary = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp"})
    void anIndexCanBeWrittenSearchedAndMerged(String protocol) throws Exception {
        try (ServedExport served = new ServedExport(protocol, temporary)) {
            try (FileSystem nfs = FileSystems.newFileSystem(served.fileSystem(), Map.of());
                    Directory index = directory(nfs.getPath("/an/index"));
                    IndexWriter writer = new IndexWriter(index, new IndexWriterConfig())) {
                for (int i = 0; i < DOCUMENTS; i++) {
                    writer.addDocument(document(i));
                    if (i % COMMIT_EVERY == 0) {
                        writer.commit();
                    }
                }
                writer.commit();
                assertThat(found(index, "kind", "1")).isEqualTo(DOCUMENTS / KINDS);
                assertThat(found(index, "text", "words399")).isEqualTo(1);
                assertThatThrownBy(() -> new IndexWriter(index, new IndexWriterConfig()))
                        .isInstanceOf(LockObtainFailedException.class);
                writer.deleteDocuments(new Term("kind", "1"));
                writer.forceMerge(1);
            }
            try (FileSystem nfs = FileSystems.newFileSystem(served.fileSystem(), Map.of());
                    Directory index = directory(nfs.getPath("/an/index"))) {
                assertThat(found(index, "kind", "1")).isZero();
                assertThat(found(index, "kind", "2")).isEqualTo(DOCUMENTS / KINDS);
                assertThat(isClean(index)).isTrue();
            }
            try (Directory onDisk = directory(served.directory.resolve("an/index"))) {
                assertThat(isClean(onDisk)).isTrue();
            }
        }
    }

    private static Directory directory(Path path) throws IOException {
        return new NIOFSDirectory(path, SimpleFSLockFactory.INSTANCE);
    }

    private static Document document(int number) {
        Document document = new Document();
        document.add(new StringField("kind", String.valueOf(number % KINDS), Field.Store.YES));
        document.add(new TextField("text", "some words" + number + " of a document".repeat(20), Field.Store.YES));
        return document;
    }

    private static int found(Directory index, String field, String term) throws IOException {
        try (DirectoryReader reader = DirectoryReader.open(index)) {
            return new IndexSearcher(reader).count(new TermQuery(new Term(field, term)));
        }
    }

    private static boolean isClean(Directory index) throws IOException {
        try (CheckIndex check = new CheckIndex(index)) {
            return check.checkIndex().clean;
        }
    }
}
