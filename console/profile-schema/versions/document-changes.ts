import type { SchemaDocument } from '../draft.ts'

/** A field, section or form of which two documents differ. */
export interface DocumentChange {
  readonly kind: 'added' | 'removed' | 'changed'
  readonly what: 'field' | 'section' | 'form'
  readonly name: string
  /** The members that differ, such as `label`; empty unless `changed`. */
  readonly members: readonly string[]
}

type Named = ReadonlyMap<string, Readonly<Record<string, unknown>>>

/** What differs between two documents, by name. */
export function documentChanges(before: SchemaDocument, after: SchemaDocument): DocumentChange[] {
  const named = <T extends object>(items: readonly T[], key: keyof T): Named =>
    new Map(items.map((item) => [String(item[key]), item as Readonly<Record<string, unknown>>]))
  const forms = (document: SchemaDocument): Named =>
    new Map(Object.entries(document.forms ?? {}) as [string, Readonly<Record<string, unknown>>][])
  return [
    ...changesOf('field', named(before.components, 'name'), named(after.components, 'name')),
    ...changesOf('section', named(before.presentation ?? [], 'section'), named(after.presentation ?? [], 'section')),
    ...changesOf('form', forms(before), forms(after)),
  ]
}

function changesOf(what: DocumentChange['what'], before: Named, after: Named): DocumentChange[] {
  const names = [...new Set([...before.keys(), ...after.keys()])]
  return names.flatMap((name): DocumentChange[] => {
    const [old, next] = [before.get(name), after.get(name)]
    if (old === undefined) return [{ kind: 'added', what, name, members: [] }]
    if (next === undefined) return [{ kind: 'removed', what, name, members: [] }]
    const members = [...new Set([...Object.keys(old), ...Object.keys(next)])].filter(
      (member) => JSON.stringify(old[member]) !== JSON.stringify(next[member]),
    )
    return members.length === 0 ? [] : [{ kind: 'changed', what, name, members }]
  })
}
