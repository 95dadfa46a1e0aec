# SPDX-License-Identifier: Apache-2.0
"""What MkDocs is told about the pages: their order, and where links lead that leave the site."""

import posixpath
import re

BOOK = "docs/README.md"
CHAPTER = re.compile(r"^\d+\. \[(?P<title>[^]]+)\]\((?P<page>[^)]+\.md)\)", re.MULTILINE)
LINK = re.compile(r"(?P<before>\]\(<?)(?P<target>[^)>\s#:]+)(?P<anchor>#[^)>\s]*)?(?=[>)\s])")


def read(config, page):
    with open(posixpath.join(config["docs_dir"], page), encoding="utf-8") as file:
        return file.read()


def on_config(config):
    """Reads the navigation from the index of the book: a section for each of its headings."""
    navigation = [{"Emplace": "README.md"}, {"The book": BOOK}]
    for section in read(config, BOOK).split("\n## ")[1:]:
        title = section.partition("\n")[0]
        chapters = [
            {chapter["title"].replace("`", ""): posixpath.normpath(posixpath.join("docs", chapter["page"]))}
            for chapter in CHAPTER.finditer(section)
        ]
        navigation.append({title: chapters})
    navigation.append({"API (Javadoc)": "javadoc/index.html"})
    config["nav"] = navigation
    return config


def on_page_markdown(markdown, page, config, files):
    """Has links to files that are no pages, such as sources and folders, lead to the repository."""
    here = posixpath.dirname(page.file.src_path)

    def rewritten(link):
        target = posixpath.normpath(posixpath.join(here, link["target"]))
        if files.get_file_from_path(target) or target.startswith("javadoc/"):
            return link[0]
        index = posixpath.join(target, "README.md")
        if files.get_file_from_path(index):
            return link["before"] + posixpath.relpath(index, here or ".") + (link["anchor"] or "")
        return link["before"] + config["repo_url"] + "/" + target + (link["anchor"] or "")

    return LINK.sub(rewritten, markdown)
