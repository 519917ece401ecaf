import type { RenderedMessage } from '../provider.ts'

const longest = 200
/** As many characters in a row, spaces aside, are no coincidence: the reply quotes the message. */
const quoteLength = 16
const hidden = '•••'

/**
 * A provider's reply as it may be stored and shown: one line, at most 200 characters, with everything taken out that it
 * quotes of the message: its code also when it is spaced or hyphenated, its text, its recipient, encoded blocks.
 */
export function replyText(reply: string, message: RenderedMessage): string {
  const { recipient, text, subject, html } = message
  const line = oneLine(reply).replace(new RegExp(RegExp.escape(recipient), 'gi'), hidden)
  const numbers = numbersIn([text, subject ?? '', stripTags(html ?? ''), recipient])
  // Numbers first: a quote that begins in the middle of a spaced code would leave its beginning.
  const unquoted = withoutQuotes(withoutNumbers(line, numbers), [text, subject ?? ''])
  const clean = unquoted.replace(/[A-Za-z0-9+/=]{40,}/g, hidden)
  return (clean.length > longest ? `${clean.slice(0, longest - 1)}…` : clean).toWellFormed()
}

/** Look-alikes made equal, invisible characters and soft line breaks (RFC 2045 6.7) gone, white space single. */
const oneLine = (text: string) =>
  text
    .replace(/=\r?\n/g, '')
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .trim()

const stripTags = (html: string) => html.replace(/<[^>]{0,2000}>/g, '')

/** Four digits or more in a row, and the same with single separators between them. */
function numbersIn(texts: readonly string[]): string[] {
  const found = texts
    .map(oneLine)
    .flatMap((text) => [...text.matchAll(/\d{4,}/g), ...text.matchAll(/\d(?:[ .-]?\d)+/g)])
  return [...new Set(found.map(([number]) => number.replace(/\D/g, '')).filter((number) => number.length >= 4))]
}

function withoutNumbers(line: string, numbers: readonly string[]): string {
  let clean = line
  for (const number of numbers) clean = clean.replaceAll(number, hidden)
  return clean.replace(/\d(?:[ .-]?\d)+/g, (run) => {
    const digits = run.replace(/\D/g, '')
    return numbers.some((number) => digits.includes(number)) ? hidden : run
  })
}

/** Without every stretch that also stands in one of the texts. Compared without spaces and case. */
function withoutQuotes(line: string, texts: readonly string[]): string {
  const known = new Set(texts.map(squashed).flatMap((text) => windows(text)))
  const places = [...line].map((character) => character.toLowerCase())
  const solid = places.flatMap((character, place) => (character === ' ' ? [] : [{ character, place }]))
  const drop = new Set<number>()
  for (let start = 0; start + quoteLength <= solid.length; start++) {
    const stretch = solid.slice(start, start + quoteLength)
    if (!known.has(stretch.map(({ character }) => character).join(''))) continue
    for (let place = stretch[0]!.place; place <= stretch.at(-1)!.place; place++) drop.add(place)
  }
  return [...line]
    .map((character, place) => (drop.has(place) ? (drop.has(place - 1) ? '' : hidden) : character))
    .join('')
}

const squashed = (text: string) =>
  [...oneLine(text)].filter((character) => character !== ' ').map((c) => c.toLowerCase())

const windows = (characters: readonly string[]) =>
  characters.flatMap((_, start) =>
    start + quoteLength <= characters.length ? [characters.slice(start, start + quoteLength).join('')] : [],
  )
