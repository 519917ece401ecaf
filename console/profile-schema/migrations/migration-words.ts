import type { ProfileMigration } from '../draft.ts'

const list = new Intl.ListFormat('en')
const quoted = (names: readonly string[]): string => list.format(names.map((name) => `“${name}”`))

/** A migration step as a sentence. */
export function describeMigration(step: ProfileMigration): string {
  if ('rename' in step) return `Move the value of “${step.rename.from}” to “${step.rename.to}”.`
  if ('drop' in step) return `Delete the value of “${step.drop}”.`
  if ('copy' in step) return `Copy the value of “${step.copy.from}” to “${step.copy.to}”.`
  if ('cast' in step) return `Turn the value of “${step.cast.field}” into a ${step.cast.to}.`
  if ('default' in step) {
    return `Set “${step.default.field}” to ${JSON.stringify(step.default.value)} where it has no value.`
  }
  if ('map' in step) {
    const changes = Object.entries(step.map.values).map(([from, to]) =>
      to === null ? `clear “${from}”` : `“${from}” becomes “${to}”`,
    )
    return `In “${step.map.field}”: ${changes.length > 4 ? `${changes.length} values change` : changes.join(', ')}.`
  }
  if ('split' in step) {
    return `Split “${step.split.from}” at ${JSON.stringify(step.split.separator)} into ${quoted(step.split.to)}.`
  }
  return `Join ${quoted(step.join.from)} with ${JSON.stringify(step.join.separator)} into “${step.join.to}”.`
}
