/** The UTC date of a time in epoch milliseconds: `2026-01-31`. */
export const utcDay = (time: number): string => new Date(time).toISOString().slice(0, 10)
