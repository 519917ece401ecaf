/**
 * What is stored now, with what the operator added to the list and without what the operator took away: what others changed
 * meanwhile stays.
 *
 * @param before what the operator began with
 */
export const mergedList = <Item>(before: readonly Item[], mine: readonly Item[], now: readonly Item[]): Item[] =>
  [...new Set([...now, ...mine])].filter((one) =>
    (before.includes(one) === mine.includes(one) ? now : mine).includes(one),
  )
