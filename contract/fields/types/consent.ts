import { readDatetime } from '../calendar.ts'
import { notMet, wrongCharacters, wrongType } from '../field-problem.ts'
import type { FieldType } from '../field-type.ts'
import { isRecord, ownValue } from '../profile-values.ts'
import { isLongerThan, isSoundText } from '../sound-text.ts'

/** The code points of a version. */
export const MAX_VERSION_LENGTH = 64

type Consent = { readonly accepted: boolean; readonly version: string; readonly at: string }

/**
 * The answer to a text: `accepted`, and the `version` of the text. Stored with the time `at` of the server's clock, which
 * changes only with the other two; one that a client sends is ignored. Rules: `version`, the current one; `mustBeTrue`.
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
    return (value) => {
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
      if (current !== undefined && version !== current) return notMet({ rule: 'version', version: current })
      return mustBeTrue && !accepted ? notMet({ rule: 'mustBeTrue' }) : null
    }
  },
  compileNormalisation() {
    return (value, stored, now) => {
      const { accepted, version } = value as Consent
      const held = stored as Consent | null
      const isSame = held?.accepted === accepted && held.version === version
      // That of an import may have another offset.
      const at = isSame ? readDatetime(held.at) : now
      return { accepted, version, at: new Date(at ?? now).toISOString() }
    }
  },
}
