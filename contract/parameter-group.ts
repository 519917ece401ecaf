import { z } from 'zod'

const groups = new WeakSet<z.core.$ZodType>()

/**
 * Query parameters whose names begin with the name of this member and a dot: `?profile.city=paris` is
 * `{profile: {city: 'paris'}}`. Each is sent once and not empty. The handler checks the names.
 */
export function parameterGroup(description: string) {
  const group = z.record(z.string(), z.string().min(1)).optional().describe(description)
  groups.add(group)
  return group
}

/** Whether a member of a query is a group. */
export const isParameterGroup = (member: z.core.$ZodType): boolean => groups.has(member)
