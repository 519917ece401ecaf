import type { Locator } from 'playwright-core'

/** The computed value of a CSS property. */
export const styleOf = (element: Locator, property: string): Promise<string> =>
  element.evaluate((one, name) => getComputedStyle(one).getPropertyValue(name), property)

/** The contrast ratio of two colours as a browser computes them, `rgb(…)` (WCAG 2.2). */
export function contrastOf(one: string, other: string): number {
  const [darker, lighter] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b)
  return (lighter! + 0.05) / (darker! + 0.05)
}

function luminanceOf(color: string): number {
  const [red, green, blue] = color.match(/\d+/g)!.map((part) => {
    const value = Number(part) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}
