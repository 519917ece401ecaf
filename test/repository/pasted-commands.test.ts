import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { blocksOf, type PageBlock, readPage } from '../support/documentation/page-blocks.ts'

const root = join(import.meta.dirname, '../..')

/** The commands of the pages, which readers paste into the shell of their terminal: on macOS that is zsh. */
const blocks: { readonly path: string; readonly text: string }[] = []
/** The settings of the pages, which readers paste into `.env` or into the environment file of systemd or Docker. */
const settings: PageBlock[] = []
for (const path of globSync('{*,docs/**/*,packages/*/*,examples/*/*}.md', { cwd: root })) {
  for (const block of blocksOf(await readPage(path))) {
    const { language, text, note } = block
    if (language === 'ini') settings.push(block)
    const isFile = text.startsWith('#!') || note.startsWith('not run: lines of start-up files')
    if (language === 'sh' && !isFile) blocks.push({ path, text })
  }
}
const linesWith = (pattern: RegExp): string[] =>
  blocks.flatMap(({ path, text }) =>
    text
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${path}: ${line}`),
  )

test('commands set no variable that has a meaning in zsh, such as path for PATH', () => {
  assert.deepEqual(linesWith(/(?<![?&-])\b(?:argv|fpath|options|path|pipestatus|prompt|status)=/), [])
})

test('no comment is part of a command, because zsh takes the words of a comment at the prompt for arguments', () => {
  assert.deepEqual(linesWith(/\S\s+#\s|^#.*[;&|<>()'"`!]/), [])
})

test('no setting has a comment on its line, which systemd and Docker take for a part of the value', () => {
  assert.ok(settings.length > 1)
  assert.deepEqual(
    settings.flatMap(({ text }) => text.match(/^\w+=.*#.*$/gm) ?? []),
    [],
  )
})

test('no quoted argument has an exclamation mark, which zsh and bash take for their history at the prompt', () => {
  const quoted = blocks.flatMap(({ path, text }) =>
    Array.from(text.replaceAll(/<<'END'[\s\S]*?^END$/gm, '').matchAll(/'[^']*'|"[^"]*"/g), ([argument]) => ({
      path,
      argument,
    })),
  )
  assert.deepEqual(
    quoted.filter(({ argument }) => argument.startsWith('"') && argument.includes('!')),
    [],
  )
})

test('a page sets the variables of its commands before they are used, or its text says what they are', async () => {
  for (const path of new Set(blocks.map((block) => block.path))) {
    const page = await readPage(path)
    const code = blocks
      .filter((block) => block.path === path)
      .map(({ text }) => text.replaceAll(/<<'END'[\s\S]*?^END$/gm, ''))
    const known = new Set(Array.from(page.matchAll(/`([A-Z_]+)`/g), ([, name]) => name!))
    for (const [, set, used = ''] of code.join('').matchAll(/(?<![\w$?&-])([A-Z_]+)=|\$\{?([A-Z_]{2,})\b/g)) {
      if (set !== undefined) known.add(set)
      else assert.ok(known.has(used), `${path} says nothing about $${used}`)
    }
  }
})

test('a page whose commands start Node says how to start the one that npm installs beside an older one', async () => {
  const starting = new Set(blocks.filter(({ text }) => /^node /m.test(text)).map(({ path }) => path))
  assert.ok(starting.size > 1)
  for (const path of starting) assert.ok((await readPage(path)).includes('`npx node`'), path)
})
