import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'jsonc-parser'
import { FieldDetail } from '../../contract/field-detail.ts'
import { ComponentControl, ProfileComponent, ProfileMigration } from '../../contract/profile-schema.ts'
import { readPage } from '../support/documentation/page-blocks.ts'

const page = await readPage('docs/guides/profile-schema.md')

/** The row of a section's table whose first cell names this. */
function rowOf(section: string, name: string): string {
  const [, text = ''] = page.split(`\n## ${section}\n`)
  const rows = text
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| '))
  const [row, ...others] = rows.filter((line) => (line.split('|')[1] ?? '').includes(`\`${name}\``))
  assert.ok(row !== undefined && others.length === 0, `${section}: ${name}`)
  return row
}

test('the guide lists every type with every rule', () => {
  for (const { shape } of ProfileComponent.options) {
    const row = rowOf('3. Types and rules', shape.type.value)
    for (const rule of Object.keys(shape.rules.unwrap().shape)) {
      assert.ok(row.includes(`\`${rule}\``), `${shape.type.value} ${rule}`)
    }
  }
})

test('the guide lists every rule of refusals, every control and every step of migrations', () => {
  for (const { shape } of FieldDetail.options) {
    const row = rowOf('9. Refusals', shape.rule.value)
    for (const parameter of Object.keys(shape)) {
      if (['rule', 'part', shape.rule.value].includes(parameter)) continue
      assert.ok(row.includes(`\`${parameter}\``), `${shape.rule.value} ${parameter}`)
    }
  }
  for (const control of ComponentControl.options) rowOf('4. Texts and controls', control)
  for (const { shape } of ProfileMigration.options) {
    const [step = ''] = Object.keys(shape)
    assert.match(page, new RegExp(`^\\| \`\\{"${step}"`, 'm'))
  }
})

test('the complete example of the guide is the starting file of the command line tool', async () => {
  const [, example = ''] = /cat > complete\.json <<'END'\n([\s\S]*?)\nEND\n/.exec(page) ?? []
  const { $schema, ...starting } = parse(await readPage('cli/schema/starting-schema.jsonc')) as Record<string, unknown>
  assert.equal(typeof $schema, 'string')
  assert.deepEqual(JSON.parse(example), starting)
})
