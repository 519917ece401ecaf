import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSourceFiles } from '../support/source-files.ts'

const reading =
  'count|inputValue|textContent|innerText|allTextContents|getAttribute|isVisible|isHidden|isDisabled|isChecked'
const readAtOnce = new RegExp(`assert\\.\\w+\\([^;]*?(?:await [^;]*?\\.(?:${reading})\\(|page\\.url\\(\\))`)

test('tests of the console wait for what they assert of a page', () => {
  const tests = readSourceFiles().filter(({ path }) => /^test\/console\/.*\.test\.ts$/.test(path))
  assert.ok(tests.length > 20)
  const lines = tests.flatMap(({ path, text }) =>
    text.split('\n').map((line, index) => ({ line, at: `${path}:${index + 1}` })),
  )
  const found = lines.filter(({ line }) => readAtOnce.test(line)).map(({ at }) => at)
  // A page shows the effect of an act some time after it; test/support/expect-soon.ts waits.
  assert.deepEqual(found, [])
  for (const line of ['assert.equal(await rows.count(), 2)', 'assert.match(page.url(), /q=a/)'])
    assert.match(line, readAtOnce)
})
