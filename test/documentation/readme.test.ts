import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { blocksOf, readPage } from '../support/documentation/page-blocks.ts'
import { type PageServer, startPageServer } from '../support/documentation/page-server.ts'

const blocks = blocksOf(await readPage('README.md'))
/** The code blocks of a language under a heading. */
const textsOf = (heading: string, language: string): string[] =>
  blocks.filter((block) => block.heading === heading && block.language === language).map(({ text }) => text)

let page: PageServer
before(async () => {
  page = await startPageServer()
})
after(() => page[Symbol.asyncDispose]())

test('README.md shows what npm start prints', () => {
  const [shown = ''] = textsOf('Start', '')
  const withoutValues = (text: string) =>
    text
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '<url>')
      .replaceAll(/tk_pub_[\w…-]+/g, '<key>')
      .replaceAll(/(?<=admin key {3}|demo@example\.com {2})\S+/g, '<secret>')
  assert.equal(withoutValues(page.server.output()).trim(), withoutValues(shown).trim())
  assert.deepEqual(textsOf('Start', 'sh'), ['npm ci\nnpm start\n'])
})

test('the tour of README.md works as written', async () => {
  const tour = textsOf('A tour with curl', 'sh').join('')
  const commands = tour.replaceAll('\\\n', ' ').match(/^curl .*$/gm) ?? []
  assert.equal(commands.length, 6)
  for (const command of commands) assert.equal(JSON.parse(await page.run(command)).error, undefined, command)
})

test('the commands of README.md create a tenant', async () => {
  const commands = textsOf('A tour with curl', 'sh').at(-1)?.trim().split('\n') ?? []
  assert.equal(commands.length, 5)
  let id = ''
  for (const command of commands) {
    const output = await page.run(command.replace('<id>', id))
    id ||= /\b[0-9A-HJKMNP-TV-Z]{26}\b/.exec(output)?.[0] ?? ''
    assert.notEqual(id, '', output)
  }
})
