import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readPage } from '../support/documentation/page-blocks.ts'
import { startPageServer } from '../support/documentation/page-server.ts'

for (const name of ['command-line', 'operators']) {
  const path = `docs/guides/${name}.md`
  test(`the commands of ${path} print what it shows`, async (t) => {
    // Keys that "tenantry login" keeps are those of this test alone.
    const home = await mkdtemp(join(tmpdir(), 'tenantry-home-'))
    t.after(() => rm(home, { recursive: true }))
    await using server = await startPageServer({ HOME: home })
    await server.runPage(await readPage(path))
  })
}
