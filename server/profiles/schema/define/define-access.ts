import { ownValue } from '../../../../contract/fields/profile-values.ts'
import { typesOfControl, typesOfFlag } from '../../../../contract/profile-schema/field-access.ts'
import type { ComponentType } from '../../../../contract/profile-schema.ts'
import type { SchemaProblems } from './schema-problems.ts'

type Input = Readonly<Record<string, unknown>>

const FLAGS = [
  'required',
  'writable',
  'writeOnce',
  'readable',
  'sensitive',
  'unique',
  'searchable',
  'claim',
  'claimFromUser',
]
/** Checks who may read and write a field, and where its value goes: indexes, exports, access tokens. */
export function defineAccess(input: Input, type: ComponentType, path: string, problems: SchemaProblems): void {
  for (const flag of FLAGS) {
    const value = input[flag]
    if (value !== undefined && typeof value !== 'boolean') {
      problems.add(`${path}.${flag}`, 'must be true or false; omit it for the default')
    } else if (value === true && ownValue(typesOfFlag, flag)?.includes(type) === false) {
      problems.add(
        `${path}.${flag}`,
        `${type} fields cannot be ${wordOf(flag)}; allowed types: ${typesOfFlag[flag]!.join(', ')}`,
      )
    }
  }
  defineUnique(input, path, problems)
  defineClaim(input, path, problems)
}

function wordOf(flag: string): string {
  return flag === 'claim' ? 'claims' : flag
}

function defineUnique(input: Input, path: string, problems: SchemaProblems): void {
  const { unique, uniqueBy, sensitive, readable } = input
  if (uniqueBy !== undefined && uniqueBy !== 'folded' && uniqueBy !== 'exact') {
    problems.add(`${path}.uniqueBy`, 'must be "folded" or "exact"; omit it for "folded"')
  } else if (uniqueBy !== undefined && unique !== true) {
    problems.add(`${path}.uniqueBy`, 'only unique fields have it; add "unique": true or remove it')
  }
  // An answer that says "taken" would disclose another user's value.
  if (unique === true && sensitive === true) {
    problems.add(
      `${path}.unique`,
      'a sensitive field cannot be unique, because refusals would disclose values; remove one',
    )
  } else if (unique === true && readable === false) {
    problems.add(
      `${path}.unique`,
      'a field that users cannot read cannot be unique, because refusals would disclose values; remove one',
    )
  }
}

function defineClaim(input: Input, path: string, problems: SchemaProblems): void {
  const { claim, claimFromUser, sensitive, readable, writable } = input
  if (claim !== true) {
    if (claimFromUser === true)
      problems.add(`${path}.claimFromUser`, 'only claims have it; add "claim": true or remove it')
    return
  }
  if (sensitive === true) {
    problems.add(`${path}.claim`, 'a sensitive field cannot be a claim, because tokens are not encrypted; remove one')
  } else if (readable === false) {
    problems.add(
      `${path}.claim`,
      'a field that users cannot read cannot be a claim, because users can read their tokens; remove one',
    )
  }
  if (writable !== false && claimFromUser !== true) {
    problems.add(
      `${path}.claim`,
      'the user can write this field; add "writable": false, or "claimFromUser": true if no permission depends on it',
    )
  }
}

/** Checks the control: one that can show fields of this type. */
export function defineControl(input: unknown, type: ComponentType, path: string, problems: SchemaProblems): void {
  if (input === undefined) return
  const types = typeof input === 'string' ? ownValue(typesOfControl, input) : undefined
  if (types?.includes(type)) return
  const fitting = Object.entries(typesOfControl).flatMap(([control, shown]) => (shown.includes(type) ? [control] : []))
  const advice = fitting.length === 0 ? 'remove it' : `use one of ${fitting.join(', ')}, or remove it`
  problems.add(
    path,
    `${types === undefined ? 'unknown control' : `${type} fields cannot be shown as "${input}"`}; ${advice}`,
  )
}
