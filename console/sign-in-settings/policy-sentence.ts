import type { OtpModule } from '../../packages/client/src/admin.ts'
import { counted } from '../parts/counted.ts'

const units = [
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** Seconds in words: 90 is "1 minute 30 seconds". */
export function duration(seconds: number): string {
  let rest = seconds
  const parts = units.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length)
    rest %= length
    return count === 0 ? [] : [counted(count, unit)]
  })
  return parts.length === 0 ? '0 seconds' : parts.join(' ')
}

/** What the policy means for the person who gets a code; null unless all of it are whole numbers. */
export function policySentence(otp: Partial<OtpModule>): string | null {
  const { length = NaN, ttlSeconds = NaN, resendIntervalSeconds = NaN, maxResends = NaN, maxVerifyAttempts = NaN } = otp
  const numbers = [length, ttlSeconds, resendIntervalSeconds, maxResends, maxVerifyAttempts]
  if (!numbers.every(Number.isInteger)) return null
  const code = `A code has ${length} digits and is valid for ${duration(ttlSeconds)}.`
  const pause = resendIntervalSeconds === 0 ? 'without a pause' : `${duration(resendIntervalSeconds)} apart`
  const resends =
    maxResends === 0 ? 'It is never sent again' : `It can be sent again ${counted(maxResends, 'time')}, ${pause}`
  return `${code} ${resends}, and stops working after ${counted(maxVerifyAttempts, 'wrong attempt')}.`
}
