import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { blocksOf, readPage } from '../support/documentation/page-blocks.ts'

/** The commands of the pages, which readers paste into the shell of their terminal: on macOS that is zsh. */
const commands: { readonly path: string; readonly line: string }[] = []
for (const path of globSync('{*,docs/**/*,packages/*/*,examples/*/*}.md', {
  cwd: join(import.meta.dirname, '../..'),
})) {
  for (const { language, text, note } of blocksOf(await readPage(path))) {
    const isFile = text.startsWith('#!') || note.startsWith('not run: lines of start-up files')
    if (language === 'sh' && !isFile) commands.push(...text.split('\n').map((line) => ({ path, line })))
  }
}
const linesWith = (pattern: RegExp): string[] =>
  commands.filter(({ line }) => pattern.test(line)).map(({ path, line }) => `${path}: ${line}`)

test('commands set no variable that has a meaning in zsh, such as path for PATH', () => {
  assert.deepEqual(linesWith(/(?<![?&-])\b(?:argv|fpath|options|path|pipestatus|prompt|status)=/), [])
})

test('no comment is part of a command, because zsh takes the words of a comment at the prompt for arguments', () => {
  assert.deepEqual(linesWith(/\S\s+#\s|^#.*[;&|<>()'"`!]/), [])
})
