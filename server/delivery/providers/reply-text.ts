import type { RenderedMessage } from '../provider.ts'

const longest = 200
/** Longer replies are not read to their end: recognising quotes takes time, and a tenant's server replies at any length. */
const mostRead = 2_000
/** What may be the start of a code or an encoded block where reading ends, which is not recognised as one. */
const unsure = /[\w+/=. -]{1,100}$/
/** This many equal consecutive characters, ignoring spaces, are a quote of the message. */
const quoteLength = 16
/** No text is longer before normalization, which can make it eighteen times as long. */
const mostQuoted = 20_000
/** The digits of a number to hide: codes have at least four, phone numbers at most fifteen. */
const fewestDigits = 4
const mostDigits = 15
const hidden = '•••'

/**
 * A provider's reply in a form that can be stored and shown: one line of at most 200 characters without quotes of the
 * message, which are its code (also spaced or hyphenated), text, recipient and encoded blocks.
 */
export function replyText(reply: string, message: RenderedMessage): string {
  const { recipient, text, subject, html } = message
  const whole = oneLine(reply.slice(0, mostRead))
  const isCut = reply.length > mostRead || whole.length > mostRead
  const line = whole.slice(0, mostRead).replace(new RegExp(RegExp.escape(recipient), 'gi'), hidden)
  const numbers = numbersIn([text, subject ?? '', stripTags(html ?? ''), recipient])
  // Numbers first: removing a quote that starts inside a spaced code would leave the start of the code.
  const unquoted = withoutQuotes(withoutNumbers(line, numbers), [text, subject ?? ''])
  const clean = unquoted.replace(/[A-Za-z0-9+/=]{40,}/g, hidden)
  const sure = isCut ? clean.replace(unsure, '') : clean
  return (sure.length > longest ? `${sure.slice(0, longest - 1)}…` : sure).toWellFormed()
}

/** Normalizes look-alikes and white space, removes invisible characters and soft line breaks (RFC 2045 6.7). */
const oneLine = (text: string) =>
  text
    .replace(/=\r?\n/g, '')
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .trim()

const stripTags = (html: string) => html.replace(/<[^<>]{0,2000}>/g, '')

/** Numbers of at least four digits, with or without single separators between the digits. */
function numbersIn(texts: readonly string[]): ReadonlySet<string> {
  const found = texts
    .map(oneLine)
    .flatMap((text) => [...text.matchAll(/\d{4,}/g), ...text.matchAll(/\d(?:[ .-]?\d)+/g)])
  const numbers = found.map(([number]) => digitsOf(number))
  return new Set(numbers.filter(({ length }) => length >= fewestDigits && length <= mostDigits))
}

const digitsOf = (run: string) => run.replace(/\D/g, '')

function withoutNumbers(line: string, numbers: ReadonlySet<string>): string {
  const hide = (run: string) => (hasNumber(digitsOf(run), numbers) ? hidden : run)
  return line.replace(/\d{4,}/g, hide).replace(/\d(?:[ .-]?\d)+/g, hide)
}

/** Looks the parts of the digits up: a tenant's message can have ten thousand numbers. */
function hasNumber(digits: string, numbers: ReadonlySet<string>): boolean {
  for (let start = 0; start + fewestDigits <= digits.length; start++) {
    for (let length = fewestDigits; length <= mostDigits; length++) {
      if (numbers.has(digits.slice(start, start + length))) return true
    }
  }
  return false
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
  [...oneLine(text).slice(0, mostQuoted)].filter((character) => character !== ' ').map((c) => c.toLowerCase())

const windows = (characters: readonly string[]) =>
  characters.flatMap((_, start) =>
    start + quoteLength <= characters.length ? [characters.slice(start, start + quoteLength).join('')] : [],
  )
