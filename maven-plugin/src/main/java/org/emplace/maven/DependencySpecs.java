// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.maven.artifact.Artifact;
import org.emplace.maven.InputRequest.Archive;

/**
 * Finds what {@code <specs>} names.
 *
 * @param dependencies of the module, resolved
 */
record DependencySpecs(Collection<Artifact> dependencies) {

    List<Archive> find(List<Spec> specs) throws MisconfiguredException {
        List<Archive> archives = new ArrayList<>();
        for (Spec spec : specs) {
            archives.add(find(spec));
        }
        return archives;
    }

    private Archive find(Spec spec) throws MisconfiguredException {
        for (Artifact dependency : dependencies) {
            boolean isMeant = spec.artifact().equals(dependency.getGroupId() + ":" + dependency.getArtifactId());
            if (isMeant && dependency.getFile() != null) {
                return new Archive(
                        dependency.getArtifactId(), dependency.getFile().toPath(), spec.includes());
            }
        }
        throw new MisconfiguredException("<specs> names `" + spec.artifact()
                + "`, which is not groupId:artifactId of a dependency of this module: add it to <dependencies>,"
                + " with scope provided if nothing else needs it");
    }
}
