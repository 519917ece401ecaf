/**
 * One order of `members` made of three. What mine moved or added goes behind the item that it follows in mine; everything
 * else is in the order of theirs. An item that both moved goes where mine has it.
 */
export function mergeOrder(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
  members: Iterable<string>,
): string[] {
  const wanted = new Set(members)
  const places = new Map(base.map((id, index) => [id, index]))
  const kept = new Set(longestRising(mine.filter((id) => places.has(id)).map((id) => [id, places.get(id)!])))
  const inMine = new Set(mine)
  const order = theirs.filter((id) => wanted.has(id) && (kept.has(id) || !inMine.has(id)))
  let previous: string | undefined
  for (const id of mine) {
    if (!wanted.has(id)) continue
    if (!order.includes(id)) order.splice(previous === undefined ? 0 : order.indexOf(previous) + 1, 0, id)
    previous = id
  }
  return [...order, ...[...wanted].filter((id) => !order.includes(id))]
}

/** The most items whose places rise: these have not moved. */
function longestRising(items: readonly (readonly [id: string, place: number])[]): string[] {
  const lengths: number[] = []
  const before: number[] = []
  let last = -1
  for (const [index, [, place]] of items.entries()) {
    lengths[index] = 1
    before[index] = -1
    for (let other = 0; other < index; other++) {
      if (items[other]![1] < place && lengths[other]! >= lengths[index]!) {
        lengths[index] = lengths[other]! + 1
        before[index] = other
      }
    }
    if (last < 0 || lengths[index]! > lengths[last]!) last = index
  }
  const rising: string[] = []
  for (let index = last; index >= 0; index = before[index]!) rising.unshift(items[index]![0])
  return rising
}
