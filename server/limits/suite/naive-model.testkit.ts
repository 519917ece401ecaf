import type { Quota, Verdict } from '../rate-limiter.ts'

const DAY = 24 * 3_600_000

/** The rules of a limiter for one subject, with nothing but a list of times. */
export function naiveModel() {
  let times: number[] = []
  const look = ({ quota, windowSeconds }: Quota, now: number): Verdict => {
    times = times.filter((time) => now < time + windowSeconds * 1000)
    if (times.some((time) => time > now + DAY)) times = times.map((time) => Math.min(time, now))
    const resetSeconds = times.length
      ? Math.ceil((Math.min(...times) + windowSeconds * 1000 - now) / 1000)
      : windowSeconds
    return { admitted: times.length < quota, remaining: Math.max(0, quota - times.length), resetSeconds }
  }
  return {
    peek: look,
    take(quota: Quota, now: number): Verdict {
      const { admitted } = look(quota, now)
      if (admitted) times.push(now)
      return { ...look(quota, now), admitted }
    },
    giveBack(takenAt: number) {
      const place = times.indexOf(takenAt)
      if (place >= 0) times.splice(place, 1)
    },
    clear(now: number) {
      look({ quota: 0, windowSeconds: 0 }, now)
    },
  }
}
