const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]
// With `numeric: 'auto'`, Sunday evening is "yesterday" on Tuesday morning, and the end of January "last month" in March.
const format = new Intl.RelativeTimeFormat('en')

/** "just now", "4 minutes ago", "in 2 hours", "1 day ago", in the largest unit that is full. Times in epoch milliseconds. */
export function relativeTime(time: number, now: number): string {
  const distance = time - now
  for (const [unit, ms] of units) if (Math.abs(distance) >= ms) return format.format(Math.trunc(distance / ms), unit)
  return distance > 0 ? 'in less than a minute' : 'just now'
}
