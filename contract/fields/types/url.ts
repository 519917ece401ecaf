import { checkString, holdsString } from '../check-string.ts'
import { allowedDomains } from '../domain-name.ts'
import type { FieldType } from '../field-type.ts'
import { isLongerThan } from '../sound-text.ts'

const MAX_LENGTH = 2048

/**
 * A web address: http or https, no credentials, at most 2048 code points; never fetched (threat E07). The WHATWG parser
 * repairs its input (trims spaces, replaces backslashes, completes `http:host`), but the value is stored as sent, so values
 * that need repair are rejected. `domains`: the allowed hosts, compared exactly but case-insensitively.
 */
export const url: FieldType = {
  expects: 'string',
  holds: holdsString,
  compile(rules) {
    const domains = allowedDomains(rules)
    return checkString(1, (value) => {
      if (isLongerThan(value, MAX_LENGTH)) return { rule: 'maxLength', maxLength: MAX_LENGTH }
      if (!isWebAddress(value)) return { rule: 'format', format: 'url' }
      return domains && !domains.has(new URL(value).hostname) ? { rule: 'domains', domains: [...domains] } : null
    })
  },
}

/** http or https, two slashes, an authority without `@`, no spaces, control characters or backslashes anywhere. */
function isWebAddress(value: string): boolean {
  return /^https?:\/\/[^/?#@]+(?:[/?#].*)?$/i.test(value) && !/[\s\p{Cc}\\]/u.test(value) && URL.canParse(value)
}
