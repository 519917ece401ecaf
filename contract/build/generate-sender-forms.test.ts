import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { z } from 'zod'
import { senderKinds } from '../senders/delivery-senders.ts'
import { fieldTexts, type SenderKind, SenderName } from '../senders/sender-kind.ts'
import { generate, path, senderFormOf } from './generate-sender-forms.ts'

const kinds: readonly SenderKind[] = senderKinds

test('the forms of senders are up to date; otherwise run node contract/build/generate-sender-forms.ts', () => {
  assert.equal(readFileSync(path, 'utf8'), generate())
})

test('the form of every kind has its secrets and the settings that are required', () => {
  for (const kind of kinds) {
    const fields = new Map(senderFormOf(kind).fields.map((field) => [field.name, field]))
    const { required = [] } = z.toJSONSchema(kind.settings, { io: 'input', unrepresentable: 'any' })
    for (const name of [...required, ...kind.secrets].filter((name) => name !== 'type'))
      assert.ok(fields.has(name), `${kind.type}.${name} has no label: register its schema in fieldTexts`)
    for (const name of kind.secrets) assert.equal(fields.get(name)?.isSecret, true, `${kind.type}.${name}`)
  }
})

test('the destination of every kind names fields of its form, and no secret', () => {
  for (const kind of kinds) {
    const shown = senderFormOf(kind).fields.flatMap(({ name, isSecret }) => (isSecret ? [] : [name]))
    assert.ok(kind.destination.length > 0, kind.type)
    for (const [, name] of kind.destination.join().matchAll(/\{(\w+)\}/g))
      assert.ok(shown.includes(name!), `${kind.type}: {${name}}`)
  }
})

test('a form has the labelled settings of the schema, in its order', () => {
  const settings = z.strictObject({
    type: z.literal('pigeon'),
    name: SenderName,
    loft: z.string().register(fieldTexts, { label: 'Loft', placeholder: 'North' }),
    unlisted: z.boolean().optional(),
    pigeons: z.int().default(2).register(fieldTexts, { label: 'Pigeons', description: 'At least one.' }),
    whistle: z.string().optional().register(fieldTexts, { label: 'Whistle' }),
  })
  const form = { label: 'Pigeon post', methods: ['sms'], destination: ['{loft}'] } as const
  assert.deepEqual(
    senderFormOf({ ...form, type: 'pigeon', settings, secrets: ['whistle'], environment: [], advice: [] }),
    {
      ...form,
      fields: [
        { name: 'loft', label: 'Loft', placeholder: 'North' },
        { name: 'pigeons', label: 'Pigeons', description: 'At least one.', defaultValue: '2', isNumber: true },
        { name: 'whistle', label: 'Whistle', isSecret: true },
      ],
    },
  )
})
