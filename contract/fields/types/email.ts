import { checkString, holdsString } from '../check-string.ts'
import { allowedDomains, asciiDomain } from '../domain-name.ts'
import type { FieldType } from '../field-type.ts'

const ATOMS = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/

/**
 * An e-mail address: an ASCII dot-atom of at most 64 characters, then a domain name, at most 254 in all (RFC 5321
 * 4.5.3.1, RFC 5322 3.2.3). Quoted local parts, comments and address literals are rejected: real mailboxes do not use
 * them. `domains`: the allowed domains, compared exactly but case-insensitively.
 */
export const email: FieldType = {
  expects: 'string',
  holds: holdsString,
  compile(rules) {
    const domains = allowedDomains(rules)
    return checkString(1, (value) => {
      const domain = domainOfAddress(value)
      if (domain === undefined) return { rule: 'format', format: 'email' }
      return domains && !domains.has(domain) ? { rule: 'domains', domains: [...domains] } : null
    })
  },
}

/** The ASCII form of the address's domain; undefined when the address is invalid. */
function domainOfAddress(address: string): string | undefined {
  const at = address.lastIndexOf('@')
  // Lengths first, so that the expressions only run on short texts.
  if (at < 1 || at > 64 || address.length > 254 || !ATOMS.test(address.slice(0, at))) return undefined
  const domain = asciiDomain(address.slice(at + 1))
  return domain !== undefined && at + 1 + domain.length <= 254 ? domain : undefined
}
