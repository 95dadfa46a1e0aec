// SPDX-License-Identifier: Apache-2.0
def options = new File(basedir, '.mvn/maven.config')
options.parentFile.mkdir()
options.text = '-Doption.package=q\n-Doption.folder=second\n-Doption.limit=6\n'
return true
