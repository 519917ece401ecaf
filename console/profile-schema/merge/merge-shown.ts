import type { FormStep } from '../draft.ts'
import type { Three } from './conflicts.ts'
import { mergeOrder } from './merge-order.ts'

type Lists = [string[], string[], string[]]
type Shown = Pick<FormStep, 'fields' | 'required'>

const listsOf = (three: Three<Shown>, key: keyof Shown) => three.map((one) => one?.[key] ?? []) as Lists

/** Whether the merged list has an item: as the one has it that changed that. Two cannot change it differently. */
function isListed([base, mine, theirs]: Lists, id: string): boolean {
  return flagOf(base.includes(id), mine.includes(id), theirs.includes(id))
}

const flagOf = (base: boolean, mine: boolean, theirs: boolean): boolean => (base === mine ? theirs : mine)

/** The fields of a form, and which of them are required: field by field. */
export function mergeShown(three: Three<Shown>): Shown {
  const lists = listsOf(three, 'fields')
  const all = [...new Set(lists.flat())]
  const fields = mergeOrder(
    ...lists,
    all.filter((id) => isListed(lists, id)),
  )
  return { fields, required: mergeRequired(three, fields) }
}

/**
 * The required ones of the fields; undefined for none, unless an empty list was written.
 * @param lists what each requires, in all steps: a field that one moved to another step may be required by the other
 */
export function mergeRequired(
  three: Three<Shown>,
  fields: readonly string[],
  lists: Lists = listsOf(three, 'required'),
): string[] | undefined {
  const required = mergeOrder(
    ...lists,
    fields.filter((id) => isListed(lists, id)),
  )
  const [before, own, other] = three.map((one) => one?.required !== undefined) as [boolean, boolean, boolean]
  return required.length > 0 || flagOf(before, own, other) ? required : undefined
}
