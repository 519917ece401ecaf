import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')

/** Words that make a reader stop, each with what to write instead. */
const banned: readonly (readonly [words: RegExp, better: string])[] = [
  [/\banew\b/gi, 'again, or a new …'],
  [/\bwhom\b/gi, 'the role: the user, the caller'],
  [/\bwhoever\b/gi, 'the role, or "anyone who"'],
  [/\bwhose it is\b/gi, 'its owner'],
  [/\b(?:nobody|somebody)\b(?![@'`])/gi, 'the role: no process, another client'],
  [/\b(?:anybody|everybody)\b(?!')/gi, 'anyone, every user'],
  [/\b(?:dispatchers?|couriers?)\b(?! New)/gi, 'outbox worker, transport'],
  [/\b(?:is|are|was|were|be) told\b/gi, 'reports, logs, receives'],
  [/\b(?:is|are|(?:can|cannot|could|not) be) had\b/gi, 'is available, failed to fetch'],
  [/\bmend(?:s|ed|ing)?\b/gi, 'fix'],
  [/\bfarewell\b/gi, 'drain or shutdown timeout'],
  [/\bpatience\b/gi, 'timeout'],
  [/\bsurroundings\b/gi, 'context'],
  [/\bentrance\b/gi, 'entry point'],
  [/\bdeparture\b/gi, 'the technical term'],
  [/\bof (?:its|their) own\b(?! [a-z])/gi, 'own, or separate'],
  [/\bthe house\b/gi, 'the repository, the service'],
  [/\blikewise\b/gi, 'the same statement again'],
  // "There is no user" is plain English; "x is no user" is not.
  [/(?<!\bthere )\bis no (?!longer\b|more\b|less\b|better\b|worse\b)[a-z]+/gi, 'is not a …'],
]

/** Files that may use a word, because it is quoted or has another meaning there. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'server/http/openapi/wording.test.ts': ['\\b(?:dispatchers?|couriers?)\\b(?! New)'],
  'test/repository/words.test.ts': banned.map(([words]) => words.source),
}

const skipped = new Set(['.git', 'node_modules', 'data', 'dist'])
const written = new Set(['.ts', '.tsx', '.js', '.mjs', '.md', '.yaml', '.jsonc', '.html', '.css', '.sh', '.example'])

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory() && !skipped.has(entry.name)) yield* filesIn(path)
    else if (entry.isFile() && written.has(extname(path))) yield path
  }
}

function* occurrencesIn(path: string): Generator<string> {
  const text = readFileSync(join(root, path), 'utf8')
  for (const [words, better] of banned) {
    if (allowed[path]?.includes(words.source)) continue
    for (const { 0: found, index } of text.matchAll(words)) {
      yield `${path}:${text.slice(0, index).split('\n').length} "${found}"; write: ${better}`
    }
  }
}

test('the repository does not use banned words', () => {
  assert.deepEqual(
    [...filesIn('')].flatMap((path) => [...occurrencesIn(path)]),
    [],
  )
})
