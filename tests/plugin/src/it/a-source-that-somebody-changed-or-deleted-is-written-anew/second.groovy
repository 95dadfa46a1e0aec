// SPDX-License-Identifier: Apache-2.0
import org.emplace.tests.plugin.Build

new Build(basedir)
    .requireText('target/generated-sources/emplace/p/Event.java', 'record Event')
    .requireFiles('target/classes/p/Event.class', 'target/classes/p/Place.class')
return true
