const names = new Intl.DisplayNames('en', { type: 'language' })

/** "French" for fr; the tag itself when it is none. */
export function languageName(tag: string): string {
  try {
    return names.of(tag) ?? tag
  } catch {
    return tag
  }
}
