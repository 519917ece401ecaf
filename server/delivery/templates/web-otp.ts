/** A host name of two labels or more, in ASCII. */
const hostName = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Adds the last line by which browsers offer the code to that site and to no other ("origin-bound one-time codes",
 * https://wicg.github.io/sms-one-time-codes/). A domain that is none is left out: the code still arrives.
 */
export function withWebOtpLine(text: string, domain: string | null, code: string): string {
  if (domain === null || !hostName.test(domain)) return text
  const line = `@${domain} #${code}`
  return text.endsWith(`\n${line}`) ? text : `${text}\n\n${line}`
}
