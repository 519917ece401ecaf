/**
 * Lets the browser write to a file what the server streams. A page does not learn why a download failed: read something else
 * first, which is refused when the session has ended.
 */
export function startDownload(href: string, name: string): void {
  Object.assign(document.createElement('a'), { href, download: name }).click()
}
