import { ownValue } from '../../../contract/fields/profile-values.ts'
import { changesBetween } from './changes.ts'

type ByPath = Readonly<Record<string, string>>

/** The messages about what is still as it was sent. What was edited since is judged by the next save. */
export const openProblems = (problems: ByPath, sent: unknown, now: unknown): ByPath =>
  Object.fromEntries(Object.entries(problems).filter(([path]) => isSame(path.split('.'), sent, now)))

function isSame([name, ...rest]: readonly string[], sent: unknown, now: unknown): boolean {
  if (name === undefined) return changesBetween(sent, now).length === 0
  if (Array.isArray(sent) && Array.isArray(now)) {
    // An item may have moved since.
    const item = sent[Number(name)]
    return item === undefined || now.some((other) => changesBetween(item, other).length === 0)
  }
  return isSame(rest, memberOf(sent, name), memberOf(now, name))
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? ownValue(value as Readonly<Record<string, unknown>>, name) : undefined
