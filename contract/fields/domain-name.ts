import type { RuleValues } from './field-type.ts'

/**
 * The ASCII form of a domain name in lower case, by which two spellings of one domain are the same; undefined when it is
 * none. At least two labels of 1 to 63 letters, digits and inner hyphens, IDN allowed, the last label not a number (`0x1f` is one), no
 * address literals, no trailing dot, at most 253 characters (RFC 5321 4.1.2, RFC 1123 2.1).
 */
export function asciiDomain(domain: string): string | undefined {
  // A URL's parser decodes %41 and cuts at "/" or ":": only text that is letters, digits, hyphens and dots may reach it.
  if (domain.length > 253 || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return undefined
  // Most domains are ASCII and not Punycode: those are their own ASCII form, which saves the call (half a microsecond).
  const ascii = /^(?!.*xn--)[a-z0-9.-]+$/.test(domain) ? domain : hostOf(domain)
  if (ascii === undefined || ascii.length > 253) return undefined
  // A URL's parser takes a name whose last label is a number for an IPv4 address.
  const hasName = /\.(?!(\d+|0x[\da-f]*)$)[^.]+$/.test(ascii)
  return hasName && ascii.split('.').every(isLabel) ? ascii : undefined
}

/** The form by which domains of a rule are compared. */
export const domainKey = (domain: string): string => asciiDomain(domain) ?? domain

/** The domains of the rule `domains`, in the form of `domainKey`; undefined without the rule. */
export function allowedDomains(rules: RuleValues): ReadonlySet<string> | undefined {
  const domains = rules['domains'] as string[] | undefined
  return domains && new Set(domains.map(domainKey))
}

/** The host name as URL parsers of every platform read it (UTS 46); undefined when they reject it. */
function hostOf(domain: string): string | undefined {
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return undefined
  }
}

const isLabel = (label: string) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label)
