import { readDatetime } from '../calendar.ts'
import { type FieldProblem, notMet, wrongCharacters, wrongDate, wrongType } from '../field-problem.ts'
import type { FieldCheck, FieldType, JsonValue } from '../field-type.ts'
import { FUTURE_TIME } from '../messages.ts'
import { isRecord, ownValue } from '../profile-values.ts'
import { isLongerThan, isSoundText } from '../sound-text.ts'

/** The code points of a version. */
export const MAX_VERSION_LENGTH = 64

type Consent = { readonly accepted: boolean; readonly version: string; readonly at: string }

/**
 * The answer to a text: `accepted`, and the `version` of the text. Stored with the time `at` of the server's clock, which
 * changes only with the other two; one that is sent is ignored. Rules: `version`, the current one; `mustBeTrue`. A consent
 * that was stored before keeps its `at`, whatever the rules ask for now.
 */
export const consent: FieldType = {
  expects: 'object',
  holds: (value) =>
    isRecord(value) &&
    typeof ownValue(value, 'accepted') === 'boolean' &&
    typeof ownValue(value, 'version') === 'string' &&
    typeof ownValue(value, 'at') === 'string',
  compile(rules) {
    const current = rules['version'] as string | undefined
    const mustBeTrue = rules['mustBeTrue'] === true
    return (value, now) => {
      const problem = checkParts(value, now)
      if (problem !== null) return problem
      const { accepted, version } = value as Consent
      if (current !== undefined && version !== current) return notMet({ rule: 'version', version: current })
      return mustBeTrue && !accepted ? notMet({ rule: 'mustBeTrue' }) : null
    }
  },
  compileStored: () => (value, now) => checkParts(value, now) ?? checkTime((value as { at?: JsonValue }).at, now),
  compileNormalisation() {
    return (value, stored, now) => {
      const { accepted, version } = value as Consent
      const held = stored as Consent | null
      const isSame = held?.accepted === accepted && held.version === version
      return { accepted, version, at: isSame ? inUtc(held.at) : new Date(now).toISOString() }
    }
  },
}

const checkParts: FieldCheck = (value) => {
  if (!isRecord(value)) return wrongType('object', value)
  const accepted = ownValue(value, 'accepted')
  const version = ownValue(value, 'version')
  if (accepted !== undefined && typeof accepted !== 'boolean') return wrongType('boolean', accepted)
  if (version !== undefined && typeof version !== 'string') return wrongType('string', version)
  if (version !== undefined && !isSoundText(version)) return wrongCharacters
  const missing = [...(accepted === undefined ? ['accepted'] : []), ...(version ? [] : ['version'])]
  if (missing.length > 0) return notMet({ rule: 'requiredParts', parts: missing })
  if (isLongerThan(version!, MAX_VERSION_LENGTH)) {
    return notMet({ rule: 'maxLength', maxLength: MAX_VERSION_LENGTH, part: 'version' })
  }
  return null
}

/** The time of a consent that was stored before, if it is known. */
function checkTime(at: JsonValue | undefined, now: number): FieldProblem | null {
  if (at === undefined || at === null) return null
  if (typeof at !== 'string') return wrongType('string', at)
  const moment = readDatetime(at)
  if (moment === undefined) return wrongDate('datetime')
  if (moment <= now) return null
  return { message: FUTURE_TIME, detail: { rule: 'max', max: new Date(now).toISOString() } }
}

/** A time with another offset in the form of those that the server's clock sets. */
function inUtc(at: string): string {
  const moment = readDatetime(at)
  return moment === undefined ? at : new Date(moment).toISOString()
}
