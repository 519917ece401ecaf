import type { Random } from '../../../test/campaign/seeded-random.ts'
import type { Condition, Draft, DraftField, FormStep, ProfileForm } from '../draft.ts'
import type { Edit } from '../editing.ts'
import { fieldTypes, isOrdered, takesFlag, takesOptions } from '../fields/field-kinds.ts'

const words = ['A', 'B', 'C']
const fieldNames = ['city', 'plan', 'tags', 'size', 'born', 'site']
const otherNames = ['one', 'two', 'three', 'signUp', 'later']

/** An edit that a person could make. Some of them the server refuses. */
export function randomEdit(random: Random, draft: Draft): Edit {
  const { sections } = draft
  const field = draft.fields.length === 0 ? undefined : random.pick(draft.fields)
  const section = sections.length === 0 ? undefined : random.pick(sections)
  const place = section?.key ?? null
  const { key } = field ?? { key: '' }
  const edits: readonly (() => Edit)[] = [
    () => ({ do: 'addField', type: random.pick(fieldTypes), name: random.pick(fieldNames), section: place }),
    () => ({ do: 'changeField', key, patch: randomPatch(random, draft, field!) }),
    () => ({ do: 'changeField', key, patch: randomPatch(random, draft, field!) }),
    () => ({ do: 'changeField', key, patch: randomPatch(random, draft, field!) }),
    () => ({ do: 'renameField', key, name: random.pick(fieldNames) }),
    () => ({ do: 'retypeField', key, type: random.pick(fieldTypes) }),
    () => ({ do: 'removeField', key, drop: random.next() < 0.5 }),
    () => ({ do: 'moveField', key, from: place, to: { section: place, index: random.below(4) } }),
    () => ({ do: 'renameOption', key, index: random.below(3), value: random.pick(words) }),
    () => ({ do: 'addSection', title: random.pick(otherNames) }),
    () => ({ do: 'changeSection', key: place ?? '', patch: randomSection(random) }),
    () => ({ do: 'removeSection', key: place ?? '' }),
    () => ({ do: 'moveSection', key: place ?? '', index: random.below(3) }),
    () => ({ do: 'setForms', forms: randomForms(random, draft) }),
    () => ({ do: 'setForms', forms: randomForms(random, draft) }),
    () => ({ do: 'setMigrations', migrations: [...draft.migrations, randomStep(random, draft)] }),
  ]
  const edit = random.pick(edits)()
  return 'key' in edit && field === undefined && edit.do !== 'removeSection' ? edits[0]!() : edit
}

const randomSection = (random: Random) =>
  random.next() < 0.5 ? { title: random.pick(words) } : { section: random.pick(otherNames) }

const randomText = (random: Random) => {
  const tags = ['fr', 'de'].filter(() => random.next() < 0.4)
  const text = random.pick(words)
  return tags.length === 0
    ? text
    : { default: text, ...Object.fromEntries(tags.map((tag) => [tag, random.pick(words)])) }
}

function randomPatch(random: Random, draft: Draft, field: DraftField): Partial<DraftField> {
  const flip = (key: 'required' | 'sensitive' | 'searchable' | 'writeOnce') => ({
    [key]: field[key] ? undefined : true,
  })
  const patches: readonly (() => Partial<DraftField>)[] = [
    () => ({ label: randomText(random) }),
    () => ({ description: random.next() < 0.3 ? undefined : randomText(random) }),
    () => ({ messages: { required: randomText(random) } }),
    () => flip(random.pick(['required', 'sensitive', 'writeOnce'])),
    () => (takesFlag(field.type, 'searchable') ? flip('searchable') : {}),
    () => ({ readable: field.readable === false ? undefined : false }),
    () => ({ writable: field.writable === false ? undefined : false }),
    () => (takesFlag(field.type, 'unique') ? { unique: field.unique ? undefined : true, uniqueBy: undefined } : {}),
    () => (takesFlag(field.type, 'claim') ? { claim: true, claimFromUser: random.next() < 0.5 || undefined } : {}),
    () => ({ rules: randomRules(random, field) }),
    () => ({ visibleWhen: randomCondition(random, draft) }),
    () => ({ visibleWhen: randomCondition(random, draft) }),
    () => ({ requiredWhen: randomCondition(random, draft) }),
    () => ({ lockedWhen: undefined }),
    () => (takesOptions(field.type) ? { options: randomOptions(random, draft, field) } : {}),
    () => (takesOptions(field.type) ? { options: randomOptions(random, draft, field) } : {}),
  ]
  return random.pick(patches)()
}

function randomRules(random: Random, { type }: DraftField): DraftField['rules'] {
  const [low, high] = [random.below(5), random.below(5)]
  if (type === 'text' || type === 'multiline') return random.next() < 0.5 ? { minLength: low } : { maxLength: high }
  if (type === 'number' || type === 'integer') return random.next() < 0.5 ? { min: low } : { max: high }
  if (type === 'multiselect') return { minItems: random.below(3) }
  if (type === 'list') return { items: random.pick(['text', 'email', 'date'] as const) }
  return undefined
}

function randomOptions(random: Random, draft: Draft, { options = [] }: DraftField): DraftField['options'] {
  const kind = random.below(4)
  if (kind === 0) return random.shuffled(options)
  if (kind === 1) return options.filter(() => random.next() < 0.6)
  if (kind === 2) return [...options, { value: random.pick(words) }]
  return options.map((option) =>
    random.next() < 0.5 ? option : { ...option, label: randomText(random), when: randomCondition(random, draft)! },
  )
}

function randomCondition(random: Random, draft: Draft): Condition | undefined {
  const chance = random.next()
  if (chance < 0.2 || draft.fields.length === 0) return undefined
  if (chance < 0.4) return { all: [randomCondition(random, draft) ?? { field: 'plan', set: true }] }
  const { name, type, options } = random.pick(draft.fields)
  if (options !== undefined) {
    const values = options.map(({ value }) => value)
    return random.next() < 0.5 ? { field: name, is: random.pick(values) } : { field: name, in: values.slice(0, 2) }
  }
  if (isOrdered(type) && random.next() < 0.5) return { field: name, min: type === 'date' ? '2020-01-01' : 3 }
  return { field: name, set: random.next() < 0.5 }
}

function randomForms(random: Random, draft: Draft): Draft['forms'] {
  const entries = Object.entries(draft.forms)
  const kind = random.below(6)
  if (kind === 0 || entries.length === 0)
    return { ...draft.forms, [random.pick(otherNames)]: randomForm(random, draft) }
  const [name, form] = random.pick(entries)
  if (kind === 1) return Object.fromEntries(entries.filter(([one]) => one !== name))
  if (kind === 2)
    return Object.fromEntries(entries.map(([one, of]) => [one === name ? random.pick(otherNames) : one, of]))
  if (kind === 3) return { ...draft.forms, [name]: { ...form, title: randomText(random) } }
  if (kind === 4) return { ...draft.forms, [name]: { ...form, prompt: 'signIn', promptAgainDays: random.below(3) } }
  return { ...draft.forms, [name]: { ...form, ...randomContent(random, draft, form) } }
}

const randomForm = (random: Random, draft: Draft): ProfileForm =>
  random.next() < 0.5
    ? { fields: someNames(random, draft) }
    : {
        steps: [
          { step: 'one', fields: someNames(random, draft) },
          { step: 'two', verify: 'email' },
        ],
      }

const someNames = (random: Random, draft: Draft): string[] =>
  random.shuffled(draft.fields.map(({ name }) => name)).filter(() => random.next() < 0.5)

function randomContent(random: Random, draft: Draft, { fields, steps }: ProfileForm): Partial<ProfileForm> {
  if (steps === undefined) {
    const shown = random.next() < 0.5 ? someNames(random, draft) : random.shuffled(fields ?? [])
    return { fields: shown, required: shown.slice(0, random.below(3)) }
  }
  const kind = random.below(6)
  const index = random.below(steps.length)
  if (kind === 0) return { steps: steps.toSpliced(index, 1) }
  if (kind === 1) return { steps: [...steps, { step: random.pick(otherNames), fields: [] }] }
  if (kind === 2) return { steps: random.shuffled(steps) }
  if (kind === 3) return { steps: steps.with(index, { step: random.pick(otherNames), verify: 'phone' }) }
  if (kind === 4) return { steps: steps.with(index, withCondition(steps[index]!, randomCondition(random, draft))) }
  const field = someNames(random, draft)[0] ?? ''
  const others = steps.map((step) =>
    step.fields ? { ...step, fields: step.fields.filter((one) => one !== field), required: [] } : step,
  )
  const fieldsOf = others[index]!.fields
  return fieldsOf ? { steps: others.with(index, { ...others[index]!, fields: [...fieldsOf, field] }) } : {}
}

const withCondition = (step: FormStep, visibleWhen: Condition | undefined): FormStep =>
  visibleWhen === undefined ? step : { ...step, visibleWhen }

function randomStep(random: Random, draft: Draft): Draft['migrations'][number] {
  const [one = 'city', two = one] = random.shuffled(draft.fields.map(({ name }) => name))
  const field = draft.fields.find(({ name }) => name === one)
  const value = field?.options?.[0]?.value ?? random.pick<string | number>(['A', 3])
  const steps: Draft['migrations'] = [
    { default: { field: one, value } },
    { copy: { from: two, to: one } },
    { join: { from: [two, 'fax'], separator: ' ', to: one } },
    { split: { from: 'fullName', separator: ' ', to: [one, two] } },
    { cast: { field: one, to: 'text' } },
    { map: { field: one, values: { old: value } } },
  ]
  return random.pick(steps)
}
