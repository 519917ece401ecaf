import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readPage } from '../support/documentation/page-blocks.ts'
import { startPageServer } from '../support/documentation/page-server.ts'

test('the commands of docs/guides/audit-log.md print what it shows', async (t) => {
  const volume = await mkdtemp(join(tmpdir(), 'tenantry-worm-'))
  t.after(() => rm(volume, { recursive: true }))
  await using server = await startPageServer({}, (baseUrl) => ({
    'http://127.0.0.1:4000': baseUrl,
    '/mnt/worm': volume,
  }))
  await server.runPage(await readPage('docs/guides/audit-log.md'))
})
