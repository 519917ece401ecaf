import type { Page } from 'playwright-core'

/** The next requests of a method to the API are served, and their answers lost. */
export async function loseAnswer(page: Page, method: string, times = 1): Promise<void> {
  let left = times
  await page.route('**/admin/**', async (route) => {
    if (left === 0 || route.request().method() !== method) return route.fallback()
    left--
    await route.fetch()
    await route.abort('connectionreset')
  })
}
