import type { LocalizedText, ProfileComponent, ProfileSchema } from '../../../contract/profile-schema.ts'
import type { Random } from '../../../test/campaign/seeded-random.ts'

const names = ['name', 'city', 'plan', 'vat', 'note', 'toString', 'birthDate', 'tags', 'bio', 'site', 'age', 'country']
const tags = ['fr', 'fr-CA', 'FR-be', 'de', 'DE-at', 'zh-Hant-TW', 'DEFAULT']
const words = ['a', 'b', '', 'é "quoted"', '__proto__']

/** A public schema with few names and texts, so that two of them have much in common. */
export function randomSchema(random: Random, version: string): ProfileSchema {
  const components = randomNames(random).map((name) => randomComponent(random, name))
  return {
    version,
    components,
    presentation: random.next() < 0.3 ? [] : [{ section: 'all', ...randomTitles(random), fields: randomNames(random) }],
    forms: Object.fromEntries(randomNames(random, 3).map((name) => [name, randomForm(random)])),
  }
}

/** The schema with a few changes. */
export function changedSchema(random: Random, schema: ProfileSchema, version: string): ProfileSchema {
  const other = randomSchema(random, version)
  const changed = schema.components
    .filter(() => random.next() < 0.9)
    .map((component) => (random.next() < 0.2 ? randomComponent(random, component.name) : structuredClone(component)))
  const taken = new Set(changed.map(({ name }) => name))
  const added = other.components.filter(({ name }) => !taken.has(name) && random.next() < 0.2)
  const appended = [...changed, ...added]
  return {
    version,
    components: random.next() < 0.3 ? random.shuffled(appended) : appended,
    presentation: random.next() < 0.5 ? structuredClone(schema.presentation) : other.presentation,
    forms: random.next() < 0.5 ? structuredClone(schema.forms) : { ...schema.forms, ...other.forms },
  }
}

const randomNames = (random: Random, most = names.length): string[] =>
  random.shuffled(names).slice(0, random.below(most + 1))

function randomComponent(random: Random, name: string): ProfileComponent {
  const common = { name, ...maybe(random, 'label'), ...maybe(random, 'description'), ...maybe(random, 'placeholder') }
  const messages = random.next() < 0.3 ? { messages: { pattern: randomText(random), required: 'Missing' } } : {}
  if (random.next() < 0.7) return { ...common, type: 'text', ...messages, rules: { maxLength: 1 + random.below(3) } }
  const options = ['free', 'pro', 'max'].slice(random.below(3)).map((value) => ({ value, ...maybe(random, 'label') }))
  return { ...common, type: 'select', ...messages, options }
}

function randomForm(random: Random): ProfileSchema['forms'][string] {
  const texts = randomTitles(random)
  if (random.next() < 0.5) return { ...texts, fields: randomNames(random) }
  return { ...texts, steps: [{ step: 'who', ...randomTitles(random), fields: randomNames(random) }] }
}

const randomTitles = (random: Random) => ({ ...maybe(random, 'title'), ...maybe(random, 'description') })

const maybe = <K extends string>(random: Random, key: K): { [name in K]?: LocalizedText } =>
  random.next() < 0.5 ? ({ [key]: randomText(random) } as { [name in K]: LocalizedText }) : {}

function randomText(random: Random): LocalizedText {
  if (random.next() < 0.3) return random.pick(words)
  const some = random.shuffled(tags).slice(0, random.below(tags.length))
  return { default: random.pick(words), ...Object.fromEntries(some.map((tag) => [tag, random.pick(words)])) }
}
