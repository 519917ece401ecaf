import { test } from 'node:test'
import { readPage } from '../support/documentation/page-blocks.ts'
import { startPageServer } from '../support/documentation/page-server.ts'

const path = 'docs/guides/what-is-recorded.md'

test(`the commands of ${path} print what it shows`, async () => {
  await using server = await startPageServer()
  await server.runPage(await readPage(path))
})
