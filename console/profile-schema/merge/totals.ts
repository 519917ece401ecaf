import type { DraftField } from '../draft.ts'
import { wordingIn } from '../languages.ts'
import { withOrWithout } from '../references.ts'
import type { Decisions } from './conflicts.ts'
import type { Sides } from './merge-fields.ts'
import type { Side } from './sides.ts'

/** To how many fields of a schema the server allows a flag. */
const most = { searchable: 10, claim: 5 } as const

/** Where both together gave a flag to too many fields, the fields of one of them have it. */
export function keepTotals(decisions: Decisions, sides: Sides, fields: Map<string, DraftField>): void {
  for (const flag of ['searchable', 'claim'] as const) {
    const flagged = [...fields.keys()].filter((id) => fields.get(id)![flag] === true)
    if (flagged.length <= most[flag]) continue
    const place = { what: 'schema', id: flag, name: flag } as const
    const choice = decisions.ask(place, flag, namesOf(sides.mine, flag), namesOf(sides.theirs, flag))
    for (const id of flagged) {
      if (sides[choice].fields.get(id)?.[flag] === true) continue
      const field = withOrWithout(fields.get(id)!, flag, undefined)
      fields.set(id, flag === 'claim' ? withOrWithout(field, 'claimFromUser', undefined) : field)
    }
  }
}

const namesOf = ({ fields }: Side, flag: keyof typeof most): string[] =>
  [...fields.values()].filter((field) => field[flag] === true).map(({ label, name }) => wordingIn(label) || name)
