// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.maven.artifact.Artifact;
import org.emplace.maven.InputRequest.Archive;

/**
 * Finds the dependencies that {@code <specs>} and {@code <imports>} name.
 *
 * @param dependencies of the module, resolved
 */
record DependencySpecs(Collection<Artifact> dependencies) {

    List<Archive> find(List<Spec> specs) throws MisconfiguredException {
        List<Archive> archives = new ArrayList<>();
        for (Spec spec : specs) {
            archives.add(find("<specs>", spec.artifact(), spec.includes()));
        }
        return archives;
    }

    /** The dependency that an import names. */
    Archive imported(String artifact) throws MisconfiguredException {
        return find("<imports>", artifact, List.of());
    }

    private Archive find(String element, String artifact, List<String> includes) throws MisconfiguredException {
        for (Artifact dependency : dependencies) {
            boolean isMeant = artifact.equals(dependency.getGroupId() + ":" + dependency.getArtifactId());
            if (isMeant && dependency.getFile() != null) {
                return new Archive(
                        dependency.getArtifactId(), dependency.getFile().toPath(), includes);
            }
        }
        throw new MisconfiguredException(element + " names `" + artifact
                + "`, which is not groupId:artifactId of a dependency of this module; add it to <dependencies>,"
                + " with scope provided if nothing else needs it");
    }
}
