const browsers: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bVersion\/.*Safari\//],
]
const systems: readonly (readonly [string, RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

/** "Firefox on Windows" from a user agent; the first word of another program, such as "okhttp". */
export function describeDevice(userAgent: string | null): string {
  if (userAgent === null || userAgent.trim() === '') return 'Unknown device'
  const find = (names: typeof browsers) => names.find(([, pattern]) => pattern.test(userAgent))?.[0]
  const [browser, system] = [find(browsers), find(systems)]
  if (browser === undefined && system === undefined) return /^[^\s/(]+/.exec(userAgent)?.[0] ?? 'Unknown device'
  return [browser, system].filter((name) => name !== undefined).join(' on ')
}
