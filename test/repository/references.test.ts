import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { errors } from '../../contract/errors.ts'
import { budgets, limits, shares } from '../../contract/limits.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const written = ['ts', 'tsx', 'js', 'mjs', 'md', 'yaml', 'sh', 'css', 'html', 'jsonc', 'tpl', 'example', 'service']
const paths = [
  ...globSync(`**/*.{${written}}`, { cwd: root, exclude: ['**/node_modules', '**/dist', 'data'] }),
  ...['.ci/run', '.env.example', 'Dockerfile'],
]
const files = paths.map((path) => ({ path, text: read(path) }))
const pages = files.filter(({ path }) => path.endsWith('.md'))

const rules = new Set([...read('docs/reference/api.md').matchAll(/^- \*\*([A-Z]+-\d+)\*\*/gm)].map(([, id]) => id!))
const areas = [...new Set([...rules].map((id) => id.split('-')[0]!))]
const threats = new Set(
  [...read('docs/reference/threat-model.md').matchAll(/^\| ([A-L]\d{2}) \|/gm)].map(([, id]) => id!),
)

/** Rule ids that a text cites; ranges name their ends. */
function citedRules(text: string): string[] {
  return [...text.matchAll(new RegExp(`\\b(?:${areas.join('|')})-\\d+\\b`, 'g'))].map(([id]) => id)
}

/** Threat ids that a text cites: `threat G14`, `threats F06, F07`, `threats D11-D14`, and titles of tests. */
function citedThreats(text: string): string[] {
  const lists = [...text.matchAll(/\bthreats? ([A-Z]\d{2}(?:(?:, | and |-)[A-Z]\d{2})*)/gi)].map(([, list]) => list!)
  const titles = [...text.matchAll(/^\s*test\(\s*['"`](.*)/gm)].map(([, title]) => title!)
  const inTitles = titles.flatMap(
    (title) => title.match(/^[A-L]\d{2}(?:, [A-L]\d{2})*(?=: )|\([A-L]\d{2}[^)]*\)/g) ?? [],
  )
  return [...lists, ...inTitles].flatMap((list) => list.match(/\b[A-Z]\d{2}\b/g) ?? [])
}

const unknown = (cited: (text: string) => string[], known: ReadonlySet<string>): string[] =>
  files.flatMap(({ path, text }) =>
    cited(text)
      .filter((id) => !known.has(id))
      .map((id) => `${path}: ${id}`),
  )

test('reads citations in every form they have', () => {
  assert.deepEqual(citedRules('the interval (RESEND-4), RESET-10 to RESET-12; UTF-8, SHA-256'), [
    'RESEND-4',
    'RESET-10',
    'RESET-12',
  ])
  assert.deepEqual(citedThreats('rows (threats F06, F07; D11), (threat G13) and threats A13 and A14'), [
    ...['F06', 'F07', 'G13', 'A13', 'A14'],
  ])
  assert.deepEqual(citedThreats("test('A13, A14: NUL is refused (A99)', async () => {"), ['A13', 'A14', 'A99'])
})

test('every cited rule is in docs/reference/api.md, once', () => {
  assert.ok(rules.size > 100)
  const defined = [...read('docs/reference/api.md').matchAll(/^- \*\*([A-Z]+-\d+)\*\*/gm)]
  assert.equal(defined.length, rules.size, 'a rule id is defined twice')
  assert.deepEqual(unknown(citedRules, rules), [])
})

test('the rules of an area are numbered without gaps', () => {
  for (const area of areas) {
    const numbers = [...rules].filter((id) => id.startsWith(`${area}-`)).map((id) => Number(id.split('-')[1]))
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index + 1),
      area,
    )
  }
})

test('the first table of docs/reference/api.md has every area of rules', () => {
  const listed = [...read('docs/reference/api.md').matchAll(/^\| \[[^\]]+\]\(#[\w-]+\) \| ([A-Z]+) \|/gm)].map(
    ([, area]) => area!,
  )
  assert.deepEqual(listed.toSorted(), areas.toSorted())
})

test('every cited threat is in docs/reference/threat-model.md', () => {
  assert.ok(threats.size > 150)
  const races = [...read('test/campaign/races/races.ts').matchAll(/^ {2}([A-L]\d{2}): \{/gm)].map(([, id]) => id!)
  assert.deepEqual(unknown(citedThreats, threats), [])
  assert.deepEqual(
    races.filter((id) => !threats.has(id)),
    [],
  )
})

/** Anchors as GitHub makes them of headings. */
function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>()
  const headings = withoutCode(markdown).matchAll(/^#{1,6} (.+?)\s*$/gm)
  for (const [, heading] of headings) {
    const base = heading!
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
      .replace(/\s/g, '-')
    let anchor = base
    for (let n = 1; anchors.has(anchor); n++) anchor = `${base}-${n}`
    anchors.add(anchor)
  }
  return anchors
}

const withoutCode = (markdown: string): string => markdown.replace(/^([ \t]*)```[\s\S]*?^\1```/gm, '')

test('every relative link of a page leads to a file and a heading that exist', () => {
  const broken = pages.flatMap(({ path, text }) =>
    [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !/^[a-z]+:/.test(target) && !leadsSomewhere(path, target))
      .map((target) => `${path}: ${target}`),
  )
  assert.deepEqual(broken, [])
})

function leadsSomewhere(from: string, link: string): boolean {
  const [file = '', anchor] = link.split('#')
  const target = file === '' ? from : normalize(join(dirname(from), file))
  if (!existsSync(join(root, target))) return false
  return anchor === undefined || anchorsOf(read(target)).has(anchor)
}

const folders = 'server|test|docs|contract|client|console|packages|examples|cli|demo|bench'

test('every path that a page names in backticks exists', () => {
  const missing = pages.flatMap(({ path, text }) =>
    [...text.matchAll(new RegExp(`\`((?:${folders})/[\\w./-]*)\``, 'g'))]
      .map(([, named]) => named!)
      .filter((named) => named !== 'console/dist' && !existsSync(join(root, named)))
      .map((named) => `${path}: ${named}`),
  )
  assert.deepEqual(missing, [])
})

test('every page that a source names exists, with its heading', () => {
  const sources = files.filter(({ path }) => !path.endsWith('.md') && path !== 'test/repository/references.test.ts')
  const missing = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\bdocs\/(?:decisions|guides|images|reference)\/[\w./#-]*\w/g)]
      .filter(([named]) => !leadsSomewhere('', named))
      .map(([named]) => `${path}: ${named}`),
  )
  assert.deepEqual(missing, [])
})

test('every decision that is cited by its number exists', () => {
  const numbers = new Set(pages.map(({ path }) => /^docs\/decisions\/(\d{4})-/.exec(path)?.[1]))
  const unknownNumbers = files.flatMap(({ path, text }) =>
    [...text.matchAll(/\b(?:decisions? |decisions\/|\()(0\d{3})\b/gi)]
      .filter(([, number]) => !numbers.has(number))
      .map(([cited]) => `${path}: ${cited}`),
  )
  assert.deepEqual(unknownNumbers, [])
})

test('no source cites a document that is not in the repository', () => {
  const foreign =
    /\b(?:contract|design)(?: section)? \d|\((?:style|architecture|contract|design)(?:\.md| )|\bdesign\.md\b/
  const citing = files
    .filter(({ path }) => path.endsWith('.ts') && path !== 'test/repository/references.test.ts')
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .map((line, index) => ({ line, place: `${path}:${index + 1}` }))
        .filter(({ line }) => foreign.test(line))
        .map(({ line, place }) => `${place}: ${line.trim()}`),
    )
  assert.deepEqual(citing, [])
})

test('.env stays out of commits and images', () => {
  for (const file of ['.gitignore', '.dockerignore']) assert.match(read(file), /^(?:\*\*\/)?\.env$/m, file)
})

test('docs/reference/api.md names every limit and budget with its default', () => {
  const page = read('docs/reference/api.md')
  for (const [name, quota] of Object.entries(limits)) {
    const row = `| \`${name}\` | ${quota} |`
    assert.ok(page.includes(row), `LIMIT-7 has no row ${row}`)
  }
  const table = page.slice(page.indexOf('| Budget | Default | Counts |'), page.indexOf('- **LIMIT-9**'))
  for (const quota of [...Object.values(budgets), ...Object.values(shares)]) assert.ok(table.includes(quota), quota)
})

test('docs/reference/api.md names every error code', () => {
  const page = read('docs/reference/api.md')
  assert.deepEqual(
    Object.keys(errors).filter((code) => !page.includes(`\`${code}\``)),
    [],
  )
})

test('the log lines and messages that the guides explain are in the source', () => {
  const source = files
    .filter(({ path }) => /^(server|cli)\//.test(path) && !/\.test(kit)?\.ts$/.test(path))
    .map(({ text }) => text)
    .join('\n')
  const hardening = read('docs/guides/hardening.md')
  const lines = hardening.slice(hardening.indexOf('| Line |'), hardening.indexOf('**Never in the log**'))
  const explained = [...lines.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) => cell!.match(/`[^`]+`/g) ?? [])
  assert.ok(explained.length > 15)
  const missing = explained.filter((line) => !source.includes(line.replace(/^`|[:;,]? ?…?`$/g, '')))
  assert.deepEqual(missing, [])
})

test('docs/guides/hardening.md explains every log line at warn and above that a production server writes', () => {
  const page = read('docs/guides/hardening.md')
  const table = page.slice(page.indexOf('| Line |'), page.indexOf('**Never in the log**'))
  const written = files
    .filter(({ path }) => path.startsWith('server/') && !/\.test(kit)?\.ts$/.test(path))
    // Only development and staging have a testing channel.
    .filter(({ path }) => path !== 'server/delivery/testing-channel-webhook.ts')
    .flatMap(({ text }) => [...text.matchAll(/(?<!console)\.(?:warn|error|fatal)\([^;]{0,200}?(['"`])(\w+ .+?)\1/g)])
    .map(([, , line]) => line!)
  assert.ok(written.length > 40, `${written.length}`)
  const unexplained = written.filter((line) => !table.includes(`\`${line.split(/[:;]/)[0]}`))
  assert.deepEqual(unexplained, [])
})

test('no file has the markers of an unresolved merge', () => {
  const marked = files.filter(({ text }) => /^(<{7}|>{7}) /m.test(text))
  assert.deepEqual(
    marked.map(({ path }) => path),
    [],
  )
})

test('the list of decisions has every page under its title', () => {
  const decisions = pages.filter(({ path }) => /^docs\/decisions\/\d{4}-/.test(path))
  const rows = decisions.map(({ path, text }) => {
    const [, number, title] = /^# (\d{4}) (.+)/.exec(text) ?? []
    return `| [${number}](${path.split('/').at(-1)}) | ${title} |`
  })
  const list = read('docs/decisions/README.md')
  assert.deepEqual(
    rows.filter((row) => !list.includes(row)),
    [],
  )
})
