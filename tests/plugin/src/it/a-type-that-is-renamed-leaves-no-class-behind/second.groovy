// SPDX-License-Identifier: Apache-2.0
import org.emplace.tests.plugin.Build

new Build(basedir)
    .requireOnly('target/generated-sources/emplace', 'p/Incident.java')
    .requireOnly('target/classes', 'p/Incident.class')
return true
