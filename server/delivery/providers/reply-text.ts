import type { RenderedMessage } from '../provider.ts'

const longest = 200
/** This many equal consecutive characters, ignoring spaces, are a quote of the message. */
const quoteLength = 16
const hidden = '•••'

/**
 * A provider's reply in a form that can be stored and shown: one line of at most 200 characters without quotes of the
 * message, which are its code (also spaced or hyphenated), text, recipient and encoded blocks.
 */
export function replyText(reply: string, message: RenderedMessage): string {
  const { recipient, text, subject, html } = message
  const line = oneLine(reply).replace(new RegExp(RegExp.escape(recipient), 'gi'), hidden)
  const numbers = numbersIn([text, subject ?? '', stripTags(html ?? ''), recipient])
  // Numbers first: removing a quote that starts inside a spaced code would leave the start of the code.
  const unquoted = withoutQuotes(withoutNumbers(line, numbers), [text, subject ?? ''])
  const clean = unquoted.replace(/[A-Za-z0-9+/=]{40,}/g, hidden)
  return (clean.length > longest ? `${clean.slice(0, longest - 1)}…` : clean).toWellFormed()
}

/** Normalizes look-alikes and white space, removes invisible characters and soft line breaks (RFC 2045 6.7). */
const oneLine = (text: string) =>
  text
    .replace(/=\r?\n/g, '')
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .trim()

const stripTags = (html: string) => html.replace(/<[^>]{0,2000}>/g, '')

/** Numbers of at least four digits, with or without single separators between the digits. */
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

/** Removes substrings that also occur in one of the texts, ignoring spaces and case. */
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
