import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readPage } from '../support/page-blocks.ts'
import { startPageServer } from '../support/page-server.ts'

test('the commands of docs/guides/operators.md print what it shows', async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'tenantry-home-'))
  t.after(() => rm(home, { recursive: true }))
  await using server = await startPageServer({ HOME: home })
  await server.runPage(await readPage('docs/guides/operators.md'))
})
