/** The items that are kept; older ones are forgotten, so that a busy page stays quick. */
export const kept = 500

/** How many entries are held back, as a text: those that were forgotten are not counted. */
export const heldText = (held: number): string => (held < kept ? String(held) : `${kept}+`)

/** What has arrived of a stream. */
export interface Arrivals<Item> {
  /** Newest first, each once. */
  readonly items: readonly Item[]
  /** What arrived since the list was paused, newest first. */
  readonly held: readonly Item[]
  readonly isPaused: boolean
}

export type ArrivalsAction<Item> =
  /** In the order of arrival, with items that may be known already. */
  | { readonly type: 'arrived'; readonly items: readonly Item[] }
  | { readonly type: 'paused' }
  | { readonly type: 'resumed' }
  /** Only these stay. */
  | { readonly type: 'removed'; readonly stays: (item: Item) => boolean }
  /** Something else is followed: what is shown does not belong to it. */
  | { readonly type: 'reset' }

export const noArrivals: Arrivals<never> = { items: [], held: [], isPaused: false }

export function arrivalsReducer<Item extends { readonly id: string }>(
  state: Arrivals<Item>,
  action: ArrivalsAction<Item>,
): Arrivals<Item> {
  switch (action.type) {
    case 'arrived': {
      const fresh = newestFirst(action.items, [...state.items, ...state.held])
      if (fresh.length === 0) return state
      return state.isPaused
        ? { ...state, held: [...fresh, ...state.held].slice(0, kept) }
        : { ...state, items: [...fresh, ...state.items].slice(0, kept) }
    }
    case 'paused':
      return { ...state, isPaused: true }
    case 'resumed':
      return { items: [...state.held, ...state.items].slice(0, kept), held: [], isPaused: false }
    case 'removed':
      return { ...state, items: state.items.filter(action.stays), held: state.held.filter(action.stays) }
    case 'reset':
      return { ...noArrivals, isPaused: state.isPaused }
  }
}

/** Those of `arrived` that are not known, each once, newest first. */
function newestFirst<Item extends { readonly id: string }>(
  arrived: readonly Item[],
  known: readonly Item[],
): readonly Item[] {
  const ids = new Set(known.map(({ id }) => id))
  const fresh: Item[] = []
  for (const item of arrived) {
    if (ids.has(item.id)) continue
    ids.add(item.id)
    fresh.unshift(item)
  }
  return fresh
}
