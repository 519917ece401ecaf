import { z } from 'zod'

/** Country codes that belong to no country (ITU-T E.164): satellite phones, global networks, and global services. */
export const globalRanges = ['+800', '+808', '+870', '+878', '+881', '+882', '+883', '+888', '+979'] as const

/** Types of numbers that cost more than a message to a phone, or that no phone has. */
export const specialNumberTypes = ['premium', 'shared-cost', 'uan', 'personal', 'voicemail'] as const
/** One of them. */
export type SpecialNumberType = (typeof specialNumberTypes)[number]

const written = new RegExp(
  `^([A-Z]{2}|(${globalRanges.join('|').replaceAll('+', '\\+')})|(${specialNumberTypes.join('|')}):[A-Z]{2})$`,
)

/** Where SMS may go: `FR`, `+881`, or `premium:GB`. */
export const SmsDestination = z
  .string()
  .regex(written, { error: 'Give a country such as FR, a global range such as +881, or a type such as premium:GB' })
