import type { ComponentOption, DraftField, LocalizedText } from '../draft.ts'
import { wordingIn } from '../languages.ts'
import { withOrWithout } from '../references.ts'
import { type Decisions, decidePresence, memberOf, ofEach, type Place, type Three } from './conflicts.ts'
import { mergeOrder } from './merge-order.ts'
import { mergeText } from './merge-text.ts'
import { restoreCondition } from './restore-condition.ts'
import { isSame } from './same.ts'
import { optionsOf, type Side } from './sides.ts'

/** The three documents. */
export interface Sides {
  readonly base: Side
  readonly mine: Side
  readonly theirs: Side
}

/** The ids of all three, in the order of the base, then mine, then theirs. */
export const idsOf = (...maps: readonly ReadonlyMap<string, unknown>[]): string[] => [
  ...new Set(maps.flatMap((map) => [...map.keys()])),
]

const texts = ['label', 'description', 'placeholder'] as const
const alone = ['required', 'writeOnce', 'searchable', 'control', 'rules'] as const
const conditions = ['visibleWhen', 'requiredWhen', 'lockedWhen'] as const
/** The server accepts some values of these only together. */
const access = ['unique', 'uniqueBy', 'sensitive', 'readable', 'writable', 'claim', 'claimFromUser'] as const
/** A type decides which of these a field can have. */
const ofType = ['type', 'options', 'rules', 'control', 'searchable', ...access] as const

export interface MergedFields {
  /** By id, each with the key of mine; the values of options are ids. */
  readonly fields: Map<string, DraftField>
  /** By field and by id of the option. */
  readonly optionValues: ReadonlyMap<string, ReadonlyMap<string, string>>
}

/** The fields of the merged document. */
export function mergeFields(decisions: Decisions, sides: Sides): MergedFields {
  const { base, mine, theirs } = sides
  const documents = [base, mine, theirs] as const
  const merged = new Map<string, DraftField>()
  const values = new Map<string, Map<string, string>>()
  for (const id of idsOf(base.fields, mine.fields, theirs.fields)) {
    const three = ofEach(documents, ({ fields }) => fields.get(id))
    const [before, own, other] = three
    const shown = own ?? other ?? before!
    const place: Place = { what: 'field', id, name: wordingIn(shown.label) || shown.name }
    const presence = decidePresence(
      decisions,
      place,
      three,
      (side) =>
        !isSame(before, withKeyOf(side === 'mine' ? own! : other!, before!)) ||
        !isSame(valuesIn(base, id), valuesIn(sides[side], id)) ||
        usesOf(sides[side], id).some((use) => !usesOf(base, id).includes(use)),
    )
    // Options that only one of them has keep its values.
    const optionValues = new Map([...(theirs.optionValues.get(id) ?? []), ...(mine.optionValues.get(id) ?? [])])
    values.set(id, optionValues)
    if (presence === 'mine') merged.set(id, own!)
    else if (presence === 'theirs') merged.set(id, other!)
    else if (presence === 'both') merged.set(id, mergeField(decisions, place, id, three, sides, optionValues))
  }
  for (const [id, field] of merged) merged.set(id, restoreConditions(id, field, merged, sides))
  return { fields: merged, optionValues: values }
}

/** The field with the conditions that a side lost only because it removed what they read. */
function restoreConditions(
  id: string,
  field: DraftField,
  merged: ReadonlyMap<string, DraftField>,
  sides: Sides,
): DraftField {
  const { base, mine, theirs } = sides
  const three = ofEach([base, mine, theirs], ({ fields }) => fields.get(id))
  if (three[1] === undefined || three[2] === undefined) return field
  let restored = field
  for (const key of conditions) {
    const condition = restoreCondition(field[key], memberOf(three, key), sides, merged)
    restored = withOrWithout(restored, key, condition)
  }
  if (field.options === undefined) return restored
  const documents = [optionsOf(base, id), optionsOf(mine, id), optionsOf(theirs, id)] as const
  const options = field.options.map((option) => {
    const ofOption = ofEach(documents, (one) => one.get(option.value))
    if (ofOption[1] === undefined || ofOption[2] === undefined) return option
    return withOrWithout(option, 'when', restoreCondition(option.when, memberOf(ofOption, 'when'), sides, merged))
  })
  return { ...restored, options }
}

const valuesIn = ({ optionValues }: Side, id: string) => Object.fromEntries(optionValues.get(id) ?? [])

/** The key is not part of the document. */
const withKeyOf = (field: DraftField, { key }: DraftField): DraftField => ({ ...field, key })

/** Where conditions and forms name a field. */
function usesOf({ fields, forms }: Side, id: string): string[] {
  const reads = (value: unknown) => JSON.stringify(value ?? null).includes(`"field":${JSON.stringify(id)}`)
  const shows = (value: unknown) => JSON.stringify(value ?? null).includes(JSON.stringify(id))
  return [
    ...[...fields].filter(([, field]) => reads(field)).map(([owner]) => `field ${owner}`),
    ...[...forms].filter(([, form]) => shows(form)).map(([form]) => `form ${form}`),
  ]
}

function mergeField(
  decisions: Decisions,
  place: Place,
  id: string,
  three: Three<DraftField>,
  sides: Sides,
  optionValues: Map<string, string>,
): DraftField {
  const [, own, other] = three
  let field: DraftField = own!
  const set = (key: keyof DraftField, value: unknown) => {
    field = withOrWithout(field, key, value)
  }
  const pick = (key: keyof DraftField) => set(key, decisions.pick(place, key, memberOf(three, key)))
  pick('name')
  for (const key of texts) set(key, mergeText(decisions, place, key, memberOf(three, key)))
  set('messages', mergeMessages(decisions, place, three))
  if (own!.type === other!.type) {
    for (const key of alone) pick(key)
    pickTogether('access', access)
    if (own!.options !== undefined || other!.options !== undefined) mergeOptionsInto()
  } else {
    pickTogether('type', ofType)
    takeValues(field.type === own!.type ? sides.mine : sides.theirs)
    for (const key of ['required', 'writeOnce'] as const) pick(key)
  }
  for (const key of conditions) set(key, decisions.pickCondition(place, key, memberOf(three, key)))
  return field

  function pickTogether(part: string, keys: readonly (keyof DraftField)[]): void {
    const groups = ofEach(
      three,
      (one): Record<string, unknown> => Object.fromEntries(keys.map((key) => [key, one[key]])),
    )
    const group = decisions.pick(place, part, groups)
    for (const key of keys) set(key, group?.[key])
  }

  function mergeOptionsInto(): void {
    const options = mergeOptions(decisions, place, id, sides, optionValues)
    const fewest = Number(field.rules?.['minItems'] ?? 0)
    // Some options are needed for the rules; those of mine fit its own.
    const fits = options.length > 0 && options.length >= fewest
    set('options', fits ? options : own!.options)
    if (fits) return
    set('rules', own!.rules)
    takeValues(sides.mine)
  }

  function takeValues(side: Side): void {
    for (const [option, value] of side.optionValues.get(id)!) optionValues.set(option, value)
  }
}

/** Messages are texts of one rule each. */
function mergeMessages(decisions: Decisions, place: Place, three: Three<DraftField>): DraftField['messages'] {
  const [before, own, other] = three.map((one) => new Map(Object.entries(one?.messages ?? {})))
  const all = [before!, own!, other!] as const
  const merged = idsOf(...all).flatMap((rule): [string, LocalizedText][] => {
    const text = mergeText(
      decisions,
      place,
      `messages.${rule}`,
      ofEach(all, (messages) => messages.get(rule)),
    )
    return text === undefined ? [] : [[rule, text]]
  })
  const isAbsent = merged.length === 0 && !three.some((one, side) => side > 0 && isSame(one?.messages, {}))
  return isAbsent ? undefined : Object.fromEntries(merged)
}

function mergeOptions(
  decisions: Decisions,
  field: Place,
  id: string,
  sides: Sides,
  values: Map<string, string>,
): ComponentOption[] {
  const documents = [sides.base, sides.mine, sides.theirs] as const
  const [base, mine, theirs] = [optionsOf(sides.base, id), optionsOf(sides.mine, id), optionsOf(sides.theirs, id)]
  const merged = new Map<string, ComponentOption>()
  for (const option of idsOf(base, mine, theirs)) {
    const three = ofEach([base, mine, theirs], (one) => one.get(option))
    const [before, own, other] = three
    const shown = own ?? other ?? before!
    const place: Place = {
      what: 'option',
      id: `${id} ${option}`,
      name: `${wordingIn(shown.label) || shown.value} of ${field.name}`,
    }
    const named = ofEach(documents, (side) => side.optionValues.get(id)?.get(option))
    const presence = decidePresence(
      decisions,
      place,
      three,
      (side) => !isSame([before, named[0]], side === 'mine' ? [own, named[1]] : [other, named[2]]),
    )
    if (presence === 'mine') merged.set(option, own!)
    else if (presence === 'theirs') merged.set(option, other!)
    else if (presence === 'both') {
      const label = mergeText(decisions, place, 'label', memberOf(three, 'label'))
      values.set(option, decisions.pick(place, 'value', named)!)
      const when = decisions.pick(place, 'when', memberOf(three, 'when'))
      merged.set(option, withOrWithout(withOrWithout(own!, 'label', label), 'when', when))
    }
  }
  return distinct(mergeOrder([...base.keys()], [...mine.keys()], [...theirs.keys()], merged.keys())).map(
    (option) => merged.get(option)!,
  )

  /** Both may give two options one value. */
  function distinct(order: readonly string[]): string[] {
    const taken = new Set<string>()
    return order.filter((option) => {
      const value = values.get(option) ?? option
      return !taken.has(value) && taken.add(value)
    })
  }
}
