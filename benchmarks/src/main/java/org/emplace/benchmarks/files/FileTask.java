// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.files;

/** The tasks that are measured, in the order in which they depend on one another. */
public enum FileTask {
    WRITE("1 MiB written at a time", "MiB/s"),
    READ("1 MiB read at a time", "MiB/s"),
    RANDOM_READ("4 KiB read at random", "reads/s"),
    RANDOM_READS("4 KiB read at random, 16 threads", "reads/s"),
    MAKE_TREE("tree of small files written", "files/s"),
    READ_TREE("tree of small files read", "files/s"),
    REMOVE_TREE("tree of small files removed", "files/s"),
    LIST("directory of 10,000 listed", "names/s");

    private final String description;
    private final String unit;

    FileTask(String description, String unit) {
        this.description = description;
        this.unit = unit;
    }

    /** The unit of the rate. */
    public String unit() {
        return unit;
    }

    @Override
    public String toString() {
        return description;
    }
}
