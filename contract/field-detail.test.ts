import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { FieldDetail } from './field-detail.ts'

test('the reference documents every rule of error.details, and no other', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/reference/api.md'), 'utf8')
  const [, table = ''] = /- \*\*ENVELOPE-13\*\*[\s\S]*?\|---\|---\|---\|\n([\s\S]*?)\n\n/.exec(page) ?? []
  const documented = table
    .split('\n')
    .flatMap((row) => Array.from(row.split('|')[1]!.matchAll(/`(\w+)`/g), ([, rule]) => rule))
  assert.deepEqual(documented.sort(), FieldDetail.options.map(({ shape }) => shape.rule.value).sort())
})
