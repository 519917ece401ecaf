import { canonicalLocale, type DeliveryTemplates } from '../../../contract/tenants/delivery-templates.ts'
import { languageTags } from './languages/languages.ts'

/** Sources of the language of a message in order of priority; missing and malformed ones are skipped. */
interface LocaleSources {
  /** From the body of the request. */
  readonly requested?: string | null | undefined
  /** From the user's profile. */
  readonly user?: string | null | undefined
  /** The unparsed header. */
  readonly acceptLanguage?: string | null | undefined
  readonly tenantDefault?: string | null | undefined
  /** Languages with a text; those of the built-in texts by default. Only `Accept-Language` is matched with them. */
  readonly available?: readonly string[]
}

/** No browser sends more; the rest of a longer header is ignored. */
const LONGEST_HEADER = 1_000

/**
 * The language of a message as a canonical tag: request → user → `Accept-Language` → tenant → `en`.
 *
 * From `Accept-Language`, the first range with a text is used (RFC 4647 3.4, best quality first): `zu, de-AT;q=0.8` gives
 * `de-AT`. The region is kept, because the tenant may have a text for it. The other sources name a single language, which
 * is used as it is; rendering falls back to the closest text.
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

/** The languages with a built-in text or one of the tenant's, for `LocaleSources.available`. */
export function availableLocales(templates: DeliveryTemplates | null): string[] {
  const own = Object.values(templates ?? {}).flatMap(({ email = {}, sms = {} }) => Object.keys({ ...email, ...sms }))
  return [...new Set([...languageTags, ...own])]
}

/** The tag and its prefixes (RFC 4647 3.4): `zh-Hant-TW`, `zh-Hant`, `zh`. */
export function lookupOrder(tag: string): string[] {
  const subtags = tag.split('-')
  return subtags.map((_, index) => subtags.slice(0, subtags.length - index).join('-'))
}

function firstReadable(header: string, available: readonly string[]): string | null {
  const known = new Set(available)
  for (const tag of acceptedLocales(header)) if (lookupOrder(tag).some((shorter) => known.has(shorter))) return tag
  return null
}

/** The ranges of an `Accept-Language` header (RFC 9110 12.5.4) as canonical tags, best first, without quality 0. */
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
  // RFC 9110 12.4.2: 0 to 1 with at most three decimals.
  const quality = /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i.test(weight) ? Number(weight.slice(2)) : 0
  return { tag: canonicalLocale(range), quality: parameters.length > 1 ? 0 : quality }
}
