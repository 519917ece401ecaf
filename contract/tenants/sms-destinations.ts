import { z } from 'zod'

/** Country codes not assigned to a country (ITU-T E.164): satellite phones, global networks and global services. */
export const globalRanges = ['+800', '+808', '+870', '+878', '+881', '+882', '+883', '+888', '+979'] as const

/** Types of numbers that cost more than a phone number, or that are not phones. */
export const specialNumberTypes = ['premium', 'shared-cost', 'uan', 'personal', 'voicemail'] as const
/** One of `specialNumberTypes`. */
export type SpecialNumberType = (typeof specialNumberTypes)[number]

const written = new RegExp(
  `^([A-Z]{2}|(${globalRanges.join('|').replaceAll('+', '\\+')})|(${specialNumberTypes.join('|')}):[A-Z]{2})$`,
)

/** An allowed destination of SMS: `FR`, `+881`, or `premium:GB`. */
export const SmsDestination = z
  .string()
  .regex(written, { error: 'Give a country such as FR, a global range such as +881, or a type such as premium:GB' })
