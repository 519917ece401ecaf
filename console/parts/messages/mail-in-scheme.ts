export type MailScheme = 'light' | 'dark'

/**
 * The HTML of a message as a mailbox in these colours shows it. Browsers take the preference of the system for frames, too,
 * so that the conditions on it are decided here: by a width that every screen has, or none.
 */
export const mailInScheme = (html: string, scheme: MailScheme): string =>
  html
    .replace(/\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi, (_, wanted: string) =>
      wanted.toLowerCase() === scheme ? '(min-width:0)' : '(min-width:99999px)',
    )
    .replace(/(color-schemes?\s*:\s*)light dark/gi, `$1${scheme}`)
    .replace(/(<meta name="(?:supported-)?color-schemes?" content=")light dark"/gi, `$1${scheme}"`)
