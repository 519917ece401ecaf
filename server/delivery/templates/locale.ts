import { canonicalLocale, type DeliveryTemplates } from '../../../contract/delivery-templates.ts'
import { languageTags } from './languages/languages.ts'

/** Where the language of a message may come from, the nearest first; whatever is missing or malformed is passed over. */
export interface LocaleSources {
  /** What the request's body says. */
  readonly requested?: string | null | undefined
  /** What the user has chosen before. */
  readonly user?: string | null | undefined
  /** The header as it came. */
  readonly acceptLanguage?: string | null | undefined
  readonly tenantDefault?: string | null | undefined
  /** Languages there is a text in; those of the built-in ones if not given. Only `Accept-Language` is held against it. */
  readonly available?: readonly string[]
}

/** No browser sends more; the rest of a longer header is not read. */
const LONGEST_HEADER = 1_000

/**
 * The language of a message as a canonical tag: request → user → `Accept-Language` → tenant → `en` (design 8).
 *
 * A browser lists what its user reads, so of its ranges the first we have a text in is taken (RFC 4647 3.4, best quality
 * first): `zu, de-AT;q=0.8` gives `de-AT`, region kept, since the tenant may have a text for it. Who names one language
 * gets that one, and the nearest text to it when rendered.
 */
export function chooseLocale({ requested, user, acceptLanguage, tenantDefault, available }: LocaleSources): string {
  return (
    canonicalLocale(requested ?? '') ??
    canonicalLocale(user ?? '') ??
    firstReadable(acceptLanguage ?? '', available ?? languageTags) ??
    canonicalLocale(tenantDefault ?? '') ??
    'en'
  )
}

/** The languages there is a text in at a tenant, for `LocaleSources.available`: the built-in ones and its own. */
export function availableLocales(templates: DeliveryTemplates | null): string[] {
  const own = Object.values(templates ?? {}).flatMap(({ email = {}, sms = {} }) => Object.keys({ ...email, ...sms }))
  return [...new Set([...languageTags, ...own])]
}

/** The tag, then what is left when subtags are taken off its end (RFC 4647 3.4): `zh-Hant-TW`, `zh-Hant`, `zh`. */
export function lookupOrder(tag: string): string[] {
  const subtags = tag.split('-')
  return subtags.map((_, index) => subtags.slice(0, subtags.length - index).join('-'))
}

function firstReadable(header: string, available: readonly string[]): string | null {
  const known = new Set(available)
  for (const tag of acceptedLocales(header)) if (lookupOrder(tag).some((shorter) => known.has(shorter))) return tag
  return null
}

/** The ranges of an `Accept-Language` header (RFC 9110 12.5.4) as canonical tags, best first; none of quality 0. */
function acceptedLocales(header: string): string[] {
  return header
    .slice(0, LONGEST_HEADER)
    .split(',')
    .map(readRange)
    .filter(({ tag, quality }) => tag !== null && quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag!)
}

function readRange(item: string): { tag: string | null; quality: number } {
  const [range = '', ...parameters] = item.split(';').map((part) => part.trim())
  const weight = parameters[0] ?? 'q=1'
  // RFC 9110 12.4.2: 0 to 1 with three decimals at most.
  const quality = /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i.test(weight) ? Number(weight.slice(2)) : 0
  return { tag: canonicalLocale(range), quality: parameters.length > 1 ? 0 : quality }
}
