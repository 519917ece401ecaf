/** Runs in the server and in clients: it imports nothing. */

/** The members of a profile schema that a delta changes. */
export interface DeltaBase {
  readonly version: string
  readonly components: readonly { readonly name: string }[]
  readonly presentation: readonly object[]
  readonly forms: Readonly<Record<string, object>>
}

/** What changed between two versions of a profile schema. */
export interface SchemaDelta<S extends DeltaBase> {
  readonly from: string
  readonly to: string
  readonly components: {
    /** New and changed components. */
    readonly set: S['components']
    readonly remove: readonly string[]
    /** The names of all components; null when changed ones keep their places and new ones follow in the order of `set`. */
    readonly order: readonly string[] | null
  }
  /** null when it did not change. */
  readonly presentation: S['presentation'] | null
  readonly forms: { readonly set: S['forms']; readonly remove: readonly string[] }
}

/**
 * The version `delta.to` of a profile schema that is held at version `delta.from`. A schema that was read with a `locale`
 * needs a delta that was read with the same one.
 * @throws RangeError when the schema has another version
 */
export function applyProfileSchemaDelta<S extends DeltaBase>(schema: S, delta: SchemaDelta<S>): S {
  if (schema.version !== delta.from) {
    throw new RangeError(
      `the delta starts at version "${delta.from}", but the schema has version "${schema.version}"; read the whole schema`,
    )
  }
  return {
    ...schema,
    version: delta.to,
    components: changedComponents(schema.components, delta.components),
    presentation: delta.presentation ?? schema.presentation,
    forms: changedForms(schema.forms, delta.forms),
  }
}

function changedComponents(
  components: DeltaBase['components'],
  { set, remove, order }: SchemaDelta<DeltaBase>['components'],
): DeltaBase['components'] {
  // Setting a known name keeps its place in the map; a new one is appended.
  const byName = new Map(components.map((component) => [component.name, component]))
  for (const name of remove) byName.delete(name)
  for (const component of set) byName.set(component.name, component)
  return order === null ? [...byName.values()] : order.flatMap((name) => byName.get(name) ?? [])
}

function changedForms(forms: DeltaBase['forms'], { set, remove }: SchemaDelta<DeltaBase>['forms']): DeltaBase['forms'] {
  const removed = new Set(remove)
  const kept = Object.entries(forms).filter(([name]) => !removed.has(name))
  return Object.fromEntries([...kept, ...Object.entries(set)])
}
