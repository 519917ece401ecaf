/**
 * The largest product of nested repetition counts in an RE2 pattern: `(?:a{10}b){20}` → 200. Compiling unrolls counted
 * repetitions, so this product makes a short pattern huge; it is computed before compiling. Accepts malformed patterns;
 * the result may be too high, but never too low.
 */
export function nestedRepetition(pattern: string): number {
  // One level per open group: the largest product inside it so far.
  const levels = [1]
  // The product of the atom that a following count would repeat.
  let last = 1
  let index = 0
  while (index < pattern.length) {
    const sign = pattern[index]
    const count = sign === '{' ? readCount(pattern, index) : undefined
    if (count !== undefined) {
      last *= count.times
      index = count.end
    } else if (sign === '(') {
      levels.push(1)
      last = 1
      index++
    } else if (sign === ')') {
      last = levels.length > 1 ? levels.pop()! : levels[0]!
      index++
    } else if (sign !== '*' && sign !== '+' && sign !== '?') {
      last = 1
      index = endOfAtom(pattern, index)
    } else {
      index++
    }
    const level = levels.length - 1
    levels[level] = Math.max(levels[level]!, last)
  }
  return Math.max(...levels)
}

/** `{n}`, `{n,}` or `{n,m}` as in RE2, where any other text with a brace is literal. */
function readCount(pattern: string, at: number): { times: number; end: number } | undefined {
  const close = pattern.indexOf('}', at)
  const counts = close < 0 ? null : /^(\d+)(?:,(\d*))?$/.exec(pattern.slice(at + 1, close))
  if (counts === null) return undefined
  return { times: Math.max(1, Number(counts[1]), Number(counts[2] ?? 0)), end: close + 1 }
}

/** The index after a literal, an escape, a quotation `\Q…\E` or a character class. */
function endOfAtom(pattern: string, at: number): number {
  if (pattern[at] === '[') return endOfClass(pattern, at)
  if (pattern[at] !== '\\') return at + 1
  if (pattern[at + 1] !== 'Q') return at + 2
  const end = pattern.indexOf('\\E', at + 2)
  return end < 0 ? pattern.length : end + 2
}

/**
 * The index after a character class. Its first `]` is a literal. A nested class (`[[:alpha:]]`) ends it early, which only
 * turns the closing bracket into a separate atom.
 */
function endOfClass(pattern: string, at: number): number {
  let index = at + 1
  if (pattern[index] === '^') index++
  if (pattern[index] === ']') index++
  while (index < pattern.length && pattern[index] !== ']') index += pattern[index] === '\\' ? 2 : 1
  return index + 1
}
