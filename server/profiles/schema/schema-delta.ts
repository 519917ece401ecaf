import { isDeepStrictEqual } from 'node:util'
import type { ProfileSchema, ProfileSchemaDelta } from '../../../contract/profile-schema.ts'

/** What changed from one public schema to another, for `applyProfileSchemaDelta`. */
export const profileSchemaDelta = (from: ProfileSchema, to: ProfileSchema): ProfileSchemaDelta => ({
  from: from.version,
  to: to.version,
  components: componentsDelta(from.components, to.components),
  presentation: isDeepStrictEqual(from.presentation, to.presentation) ? null : to.presentation,
  forms: formsDelta(from.forms, to.forms),
})

function componentsDelta(
  from: ProfileSchema['components'],
  to: ProfileSchema['components'],
): ProfileSchemaDelta['components'] {
  const before = new Map(from.map((component) => [component.name, component]))
  const after = new Map(to.map((component) => [component.name, component]))
  const names = [...after.keys()]
  // The order of a client that removes, replaces in place and appends.
  const unordered = [
    ...from.map(({ name }) => name).filter((name) => after.has(name)),
    ...names.filter((name) => !before.has(name)),
  ]
  return {
    set: to.filter((component) => !isDeepStrictEqual(before.get(component.name), component)),
    remove: [...before.keys()].filter((name) => !after.has(name)),
    order: isDeepStrictEqual(unordered, names) ? null : names,
  }
}

function formsDelta(from: ProfileSchema['forms'], to: ProfileSchema['forms']): ProfileSchemaDelta['forms'] {
  const isChanged = ([name, form]: [string, unknown]) =>
    !Object.hasOwn(from, name) || !isDeepStrictEqual(from[name], form)
  return {
    set: Object.fromEntries(Object.entries(to).filter(isChanged)),
    remove: Object.keys(from).filter((name) => !Object.hasOwn(to, name)),
  }
}
