import { randomLog } from '../../server/events/verify/random-log.testkit.ts'
import {
  currentKey,
  exportOf,
  foreignKey,
  headOf,
  type SampleLog,
  sealBatch,
} from '../../server/events/verify/sample-log.testkit.ts'
import type { Random } from '../../test/campaign/seeded-random.ts'

/** An exported log, the lines of its file, and another log of which a forger has an export too. */
interface ExportedSample {
  readonly log: SampleLog
  readonly lines: readonly string[]
  readonly other: readonly string[]
}

/** Changes the lines of an export; null when that cannot be done with this one. */
type LineTampering = (sample: ExportedSample, random: Random) => readonly string[] | null

/** Text with characters that have several spellings in JSON. */
const spelled = { note: 'é "1" \u2028 \u{1f600} \\ /', big: 9_007_199_254_740_991, small: 1e-7 }

/** A log in which some events have details of every kind. */
export function randomExport(tenantId: string, random: Random): SampleLog {
  const log = randomLog(tenantId, random)
  // Only the newest batch can be sealed again: purges before it stay as they are.
  const { batch: last } = log.batches.at(-1)!
  log.events = log.events.map((event) =>
    event.batch === last ? { ...event, public: JSON.stringify({ details: spelled }) } : event,
  )
  resealLast(log)
  return log
}

function resealLast(log: SampleLog, key = currentKey): void {
  const events = log.events.filter(({ batch }) => batch === log.batches.length)
  log.batches[log.batches.length - 1] = sealBatch(log.tenantId, events, log.batches.at(-2) ?? null, key)
  log.head = headOf(log)
}

/** One bit of a text. */
function bitFlipped(text: string, random: Random): string {
  const at = random.below(text.length)
  return `${text.slice(0, at)}${String.fromCharCode(text.charCodeAt(at) ^ (1 << random.below(7)))}${text.slice(at + 1)}`
}

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

/** Another value in the place of one in a JSON value. */
function valueChanged(value: Json, random: Random): Json {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0 && random.below(8) > 0) {
    const name = random.pick(Object.keys(value))
    if (Array.isArray(value)) return value.with(Number(name), valueChanged(value[Number(name)]!, random))
    return { ...value, [name]: valueChanged(value[name]!, random) }
  }
  const others: Json[] = [
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 53,
    '',
    'x',
    '2026-01-01T00:00:00.000Z',
    [],
    {},
    [value],
    { value },
  ]
  return random.pick(others.filter((other) => JSON.stringify(other) !== JSON.stringify(value)))
}

/** The same value in another spelling: members in another order or twice, spaces, escapes. */
const respellings: readonly ((line: string, random: Random) => string)[] = [
  (line) => line.replace(/^\{("[a-z]+":(?:"[^"]*"|\d+)),(.*)\}$/i, '{$2,$1}'),
  (line) => line.replace(/^\{("[a-z]+":)/i, '{$1null,$1'),
  (line, random) => line.replace('{', random.pick(['{ ', ' {', '{\t'])),
  (line, random) => line.replace(random.pick(['e', 'a', 's', '"0']), (text) => escapedLast(text)),
  (line) => line.replace(/:(\d+)([,}])/, ':$1.0$2'),
  (line) => line.replace(/:(\d)(\d*)([,}])/, ':$1$2e0$3'),
  (line, random) => `${line}${random.pick([' ', '\r', '\t'])}`,
]

const escapedLast = (text: string): string =>
  `${text.slice(0, -1)}\\u${text.at(-1)!.charCodeAt(0).toString(16).padStart(4, '0')}`

const at = (lines: readonly string[], random: Random): number => random.below(lines.length)

/** Where a batch ends; an export has at least one. */
const endsOfBatches = (lines: readonly string[]): number[] =>
  lines.flatMap((line, index) => (line.startsWith('{"batch":') ? index + 1 : []))

/** The export with the last line that belongs to what it has. */
function counted(lines: readonly string[], head: unknown): string[] {
  const batches = endsOfBatches(lines).length
  return [...lines, JSON.stringify({ done: { events: lines.length - batches, batches, head } })]
}

const headIn = (lines: readonly string[]): unknown => JSON.parse(lines.at(-1)!).done.head

/** Seals every batch that was not purged again from one on, as who has this key can. */
function rewritten({ log }: ExportedSample, random: Random, key: typeof currentKey): string[] | null {
  const whole = log.batches.filter(({ purgedAt }) => purgedAt === null)
  const from = random.pick(whole).batch
  const changed: SampleLog = { ...log, batches: [...log.batches] }
  const first = log.events.find(({ batch }) => batch === from)!
  changed.events = log.events.map((event) => (event === first ? { ...event, type: 'user.deleted' } : event))
  for (let batch = from; batch <= log.batches.length; batch++) {
    const events = changed.events.filter((event) => event.batch === batch)
    changed.batches[batch - 1] = sealBatch(log.tenantId, events, changed.batches[batch - 2] ?? null, key)
  }
  return exportOf({ ...changed, head: headOf(changed) })
}

export const lineTamperings: Readonly<Record<string, LineTampering>> = {
  'a flipped bit': ({ lines }, random) => {
    const line = at(lines, random)
    return lines.with(line, bitFlipped(lines[line]!, random))
  },
  'a changed value': ({ lines }, random) => {
    const line = at(lines, random)
    const value = JSON.parse(lines[line]!)
    const changed = JSON.stringify(valueChanged(value, random))
    // As for an erased person, whose existence an export does not tell: it is counted as erased.
    return changed === JSON.stringify({ ...value, personal: null }) ? null : lines.with(line, changed)
  },
  'another spelling': ({ lines }, random) => {
    const line = at(lines, random)
    const respelled = random.pick(respellings)(lines[line]!, random)
    return respelled === lines[line] ? null : lines.with(line, respelled)
  },
  'a dropped line': ({ lines }, random) => lines.toSpliced(at(lines, random), 1),
  'a line twice': ({ lines }, random) => lines.toSpliced(at([...lines, ''], random), 0, random.pick(lines)),
  'an empty line': ({ lines }, random) => lines.toSpliced(at(lines, random), 0, ''),
  'swapped lines': ({ lines }, random) => {
    const [one, other] = random.shuffled([...lines.keys()]).slice(0, 2) as [number, number]
    return lines.with(one, lines[other]!).with(other, lines[one]!)
  },
  'a cut file': ({ lines }, random) => {
    const text = lines.join('\n')
    return text.slice(0, random.below(text.length)).split('\n')
  },
  'dropped newest batches with a last line to match': ({ log, lines }, random) => {
    const ends = endsOfBatches(lines).slice(0, -1)
    if (ends.length === 0) return null
    const left = random.below(ends.length)
    const head = random.pick([headIn(lines), headOf({ ...log, batches: log.batches.slice(0, left + 1) })])
    return counted(lines.slice(0, ends[left]), head)
  },
  'a dropped batch with a last line to match': ({ lines }, random) => {
    const ends = [0, ...endsOfBatches(lines)]
    // Without the oldest batches it is an export of the others.
    if (ends.length < 4) return null
    const batch = 1 + random.below(ends.length - 3)
    return counted([...lines.slice(0, ends[batch]), ...lines.slice(ends[batch + 1], -1)], headIn(lines))
  },
  'two exports spliced': ({ lines, other }, random) => {
    const [end, start] = [random.pick(endsOfBatches(lines)), random.pick([0, ...endsOfBatches(other)])]
    const more = other.slice(start, -1)
    if (more.length === 0) return null
    return random.pick([
      [...lines.slice(0, end), ...other.slice(start)],
      counted([...lines.slice(0, end), ...more], random.pick([headIn(lines), headIn(other)])),
    ])
  },
  'a line of another export': ({ lines, other }, random) => {
    const line = at(lines, random)
    const foreign = random.pick(other)
    return random.pick([lines.with(line, foreign), lines.toSpliced(line, 0, foreign)])
  },
  'batches sealed again without the key': (sample, random) =>
    rewritten(sample, random, { ...foreignKey, kid: random.pick([currentKey.kid, foreignKey.kid]) }),
  'batches sealed again with the key': (sample, random) => rewritten(sample, random, currentKey),
}
