import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A code block of a page. */
export interface PageBlock {
  /** The heading of its section. */
  readonly heading: string
  readonly language: string
  readonly text: string
  /** What a test does with it besides the usual: the comment on the line before, `<!-- not run: … -->`. */
  readonly note: string
  /** The file that contains the code, if the line before ends with its name: `src/session.ts`: */
  readonly file: string | undefined
}

export const readPage = (path: string): Promise<string> => readFile(join(import.meta.dirname, '../../..', path), 'utf8')

/** The text of a page below a heading of the second level. */
export const sectionsOf =
  (page: string) =>
  (heading: string): string => {
    const [, section = assert.fail(`no section ${heading}`)] = page.split(`## ${heading}\n`)
    return section.split('\n## ')[0]!
  }

/** The code blocks of a page, in their order. */
export function blocksOf(page: string): PageBlock[] {
  const parts = page.matchAll(/^#+ (?<heading>.*)$|(?<before>^.*\n)?\n?^```(?<language>\w*)\n(?<text>[\s\S]*?)^```$/gm)
  const blocks: PageBlock[] = []
  let heading = ''
  for (const { groups } of parts) {
    if (groups?.['heading'] !== undefined) heading = groups['heading']
    else {
      const { before = '', language = '', text = '' } = groups ?? {}
      const [, note = ''] = /^<!-- (.*) -->$/m.exec(before) ?? []
      const [, file] = /`([\w./-]+\.\w+)`:$/m.exec(before) ?? []
      blocks.push({ heading, language, text, note, file })
    }
  }
  return blocks
}

/** A script without what the reader fills in, such as `KEY=tk_pub_…`, which tests set before. */
export const withoutFilledIn = (script: string): string =>
  script.replaceAll(/^(?:export )?\w+=\S*….*\n|^API=.*\n/gm, '')

/** A script that also prints what its commands report, if the note of its block says so. */
export function withErrors(note: string, script: string): string {
  if (note === 'a command fails') return `{\n${script}\n} 2>&1 || :`
  return note === 'also on standard error' ? `{\n${script}\n} 2>&1` : script
}

/** Values that differ with each run. */
const masks: readonly (readonly [values: RegExp, mask: string])[] = [
  [/\brt_[\w-]*…?/g, '<refresh token>'],
  [/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, '<id>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>'],
  [/\b\d{8}T\d{9}Z/g, '<time>'],
  [/\bmaster key (?:k\d{8}-[0-9a-f]{8}|…)/g, '<master key>'],
  [/\bschema (?:\d{4}-[a-z-]+|…)/g, '<schema>'],
  [/\b\d+(?= (?:tables|rows|added)\b)/g, '<count>'],
  [/(?:\b\d+|…) bytes\b/g, '<size>'],
  [/\b(?:\d{6}|\d{8})\b/g, '<code>'],
  [/\b127\.0\.0\.1:\d+/g, '<address>'],
]
const masked = (text: string): string =>
  masks.reduce((rest, [values, mask]) => rest.replaceAll(values, mask), text.trim())

/** Whether a text on a page shows this text. `…` stands for anything within a line. */
export function isShown(shown: string, actual: string): boolean {
  const parts = masked(shown).split('…').map(RegExp.escape)
  return new RegExp(`^${parts.join('.*')}$`).test(masked(actual))
}

/** What JSON on a page stands for: `actual` wherever the page shows it. The member `"…"` stands for all that are not shown. */
export function meaningOf(shown: unknown, actual: unknown): unknown {
  if (typeof shown === 'string' && typeof actual === 'string') return isShown(shown, actual) ? actual : shown
  if (typeof shown !== 'object' || typeof actual !== 'object' || shown === null || actual === null) return shown
  if (Array.isArray(shown)) return shown.map((item, index) => meaningOf(item, (actual as unknown[])[index]))
  const { '…': others, ...members } = shown as Record<string, unknown>
  const known = actual as Record<string, unknown>
  const meant = Object.entries(members).map(([name, value]) => [name, meaningOf(value, known[name])])
  return { ...(others === undefined ? {} : known), ...Object.fromEntries(meant) }
}
