import type { Page } from 'playwright-core'

/** The next request of a method to the API is served, and its answer lost. */
export async function loseAnswer(page: Page, method: string): Promise<void> {
  let isLost = false
  await page.route('**/admin/**', async (route) => {
    if (isLost || route.request().method() !== method) return route.fallback()
    isLost = true
    await route.fetch()
    await route.abort('connectionreset')
  })
}
