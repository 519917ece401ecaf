import { test } from 'node:test'
import { readPage } from '../support/page-blocks.ts'
import { startPageServer } from '../support/page-server.ts'

for (const path of ['docs/guides/cors.md', 'docs/guides/quickstart-any-language.md']) {
  test(`the commands of ${path} print what it shows`, async () => {
    await using server = await startPageServer()
    await server.runPage(await readPage(path))
  })
}
