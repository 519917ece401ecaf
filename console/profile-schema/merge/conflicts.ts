import type { Condition } from '../draft.ts'
import { conditionWords } from './condition-words.ts'
import { isSame } from './same.ts'

export type Choice = 'mine' | 'theirs'

/** By the id of the conflict. One that was not decided yet keeps mine. */
export type Choices = Readonly<Record<string, Choice>>

/** What a conflict is about. */
export interface Place {
  readonly what: 'schema' | 'field' | 'option' | 'section' | 'form' | 'step'
  /** Stays the same whatever is chosen. */
  readonly id: string
  /** For people, such as `kind` or `one of form later`. */
  readonly name: string
}

/** A property that both changed to different values, or something that one removed and the other changed. */
export interface Conflict {
  readonly id: string
  readonly place: Place
  /** The member of the document, such as `label` or `label.fr`; `removed`: one of them removed it. */
  readonly part: string
  /** With names in place of ids; conditions in words. undefined: without the member, or removed. */
  readonly mine: unknown
  readonly theirs: unknown
}

/** Three versions of something; undefined where a version does not have it. */
export type Three<T> = readonly [base: T | undefined, mine: T | undefined, theirs: T | undefined]

/** The same of all three. */
export const ofEach = <T, M>([base, mine, theirs]: Three<T>, member: (one: T) => M | undefined): Three<M> => [
  base === undefined ? undefined : member(base),
  mine === undefined ? undefined : member(mine),
  theirs === undefined ? undefined : member(theirs),
]

/** A member of all three. */
export const memberOf = <T, K extends keyof T>(three: Three<T>, key: K): Three<T[K]> => ofEach(three, (one) => one[key])

/** Decides member by member, and lists what only a person can decide. */
export class Decisions {
  readonly conflicts: Conflict[] = []
  /** What the merge changed beyond both drafts, a sentence each. */
  readonly notices: string[] = []
  readonly #choices: Choices
  readonly #nameOf: (id: string) => string

  /** @param nameOf what people call a field, by its id */
  constructor(choices: Choices, nameOf: (id: string) => string) {
    this.#choices = choices
    this.#nameOf = nameOf
  }

  /**
   * The value that only one of them changed, or that both agree on; else the chosen one.
   * @param shown the value as the conflict shows it
   */
  pick<T>(
    place: Place,
    part: string,
    [base, mine, theirs]: Three<T>,
    shown: (value: T) => unknown = (value) => value,
  ): T | undefined {
    if (isSame(mine, theirs) || isSame(base, theirs)) return mine
    if (isSame(base, mine)) return theirs
    const [own, other] = [mine, theirs].map((value) => (value === undefined ? undefined : shown(value)))
    return this.ask(place, part, own, other) === 'mine' ? mine : theirs
  }

  pickCondition(place: Place, part: string, three: Three<Condition>): Condition | undefined {
    return this.pick(place, part, three, (condition) => conditionWords(condition, this.#nameOf))
  }

  /** With the names of the fields in the conflict. */
  pickContent<T extends { readonly fields?: readonly string[] | undefined }>(
    place: Place,
    part: string,
    three: Three<T>,
  ): T | undefined {
    return this.pick(place, part, three, ({ fields, ...others }) => ({
      ...others,
      fields: fields?.map(this.#nameOf),
      required: undefined,
    }))
  }

  ask(place: Place, part: string, mine: unknown, theirs: unknown): Choice {
    const id = `${place.what} ${place.id} ${part}`
    this.conflicts.push({ id, place, part, mine, theirs })
    return this.#choices[id] ?? 'mine'
  }
}

/**
 * Whether something stays, and of which side when only one has it.
 * @param hasChanged whether a side changed it, so that its removal by the other needs a decision
 */
export function decidePresence<T>(
  decisions: Decisions,
  place: Place,
  [base, mine, theirs]: Three<T>,
  hasChanged: (side: Choice) => boolean,
): 'both' | 'mine' | 'theirs' | 'none' {
  if (mine !== undefined && theirs !== undefined) return 'both'
  if (mine === undefined && theirs === undefined) return 'none'
  const owner = mine !== undefined ? 'mine' : 'theirs'
  if (base === undefined) return owner
  if (!hasChanged(owner)) return 'none'
  return decisions.ask(place, 'removed', mine, theirs) === owner ? owner : 'none'
}
