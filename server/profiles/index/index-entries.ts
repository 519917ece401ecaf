import { hash } from 'node:crypto'
import type { ProfileValues } from '../../../contract/fields/field-type.ts'
import type { JsonValue } from '../../../contract/fields/json-value.ts'
import type { PublishedVersion } from '../../tenants/tenant.ts'
import { compiledVersion } from '../schema/compiled-profile-schemas.ts'
import type { SchemaComponent } from '../schema/schema-component.ts'
import { foldText, searchValues } from './index-values.ts'
import type { IndexEntry, ProfileEntries } from './profile-index.ts'

const none: ProfileEntries = { unique: [], search: [] }

/** What the index contains for a profile's values under a version: those of its visible fields. */
export function indexEntries(version: PublishedVersion, values: ProfileValues): ProfileEntries {
  const { indexKeys } = version
  if (!indexKeys) return none
  const { indexed, presentIndexed } = compiledVersion(version)
  const visible = presentIndexed(values)
  const unique: IndexEntry[] = []
  const search: IndexEntry[] = []
  for (const component of indexed) {
    const field = indexKeys[component.name]
    const value = visible[component.name] ?? null
    if (field === undefined || value === null) continue
    if (component.unique) unique.push({ field, value: uniqueValue(component, value) })
    if (component.searchable)
      search.push(...searchValues(component.type, value).map((found) => ({ field, value: found })))
  }
  return { unique, search }
}

/** A value of a unique field as the index contains it: hashed, so that its size is bounded. */
export function uniqueValue({ uniqueBy }: Pick<SchemaComponent, 'uniqueBy'>, value: JsonValue): string {
  const text = String(value)
  return hash('sha256', uniqueBy === 'exact' ? text.normalize('NFKC').trim() : foldText(text), 'base64url')
}

/** The entries that are not among others. */
export function entriesWithout(entries: readonly IndexEntry[], others: readonly IndexEntry[]): IndexEntry[] {
  if (entries.length === 0) return []
  const known = new Set(others.map(keyOf))
  return entries.filter((entry) => !known.has(keyOf(entry)))
}

/** No name of a field contains a line break. */
const keyOf = ({ field, value }: IndexEntry): string => `${field}\n${value}`
