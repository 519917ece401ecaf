/** A host name with at least two labels, in ASCII. */
const hostName = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Adds the last line that makes browsers offer the code to this site only ("origin-bound one-time codes",
 * https://wicg.github.io/sms-one-time-codes/). Omits the line for an invalid domain.
 */
export function withWebOtpLine(text: string, domain: string | null, code: string): string {
  if (domain === null || !hostName.test(domain)) return text
  const line = `@${domain} #${code}`
  return text.endsWith(`\n${line}`) ? text : `${text}\n\n${line}`
}
