import { test } from 'node:test'
import { readPage } from '../support/documentation/page-blocks.ts'
import { startPageOnClock } from '../support/documentation/page-on-clock.ts'

const path = 'docs/guides/sign-in-with-a-password.md'

test(`the commands of ${path} print what it shows`, async () => {
  await using world = await startPageOnClock()
  await world.run(await readPage(path))
})
