// SPDX-License-Identifier: Apache-2.0
new File(basedir, 'target/generated-sources/emplace/p/Event.java').text = 'package p;'
return new File(basedir, 'target/generated-sources/emplace/p/Place.java').delete()
