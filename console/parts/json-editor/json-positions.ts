import { findNodeAtLocation, type Node, type ParseError, parse, parseTree, printParseErrorCode } from 'jsonc-parser'
import { isExactNumber } from '../exact-number.ts'

/** A place in a text, by offsets. */
export interface Place {
  readonly from: number
  readonly to: number
}

export interface Mistake extends Place {
  readonly message: string
}

const words: Readonly<Record<string, string>> = {
  InvalidSymbol: 'Unknown word; texts are written between double quotes',
  InvalidNumberFormat: 'Not a number',
  PropertyNameExpected: 'A name in double quotes is missing here',
  ValueExpected: 'A value is missing here',
  ColonExpected: 'A colon is missing here',
  CommaExpected: 'A comma is missing before this',
  CloseBraceExpected: 'A closing } is missing',
  CloseBracketExpected: 'A closing ] is missing',
  EndOfFileExpected: 'Nothing may follow the end of the document',
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfString: 'A closing quote is missing',
  UnexpectedEndOfNumber: 'Not a number',
  InvalidUnicode: 'Not a Unicode escape',
  InvalidEscapeCharacter: 'Not an escape',
  InvalidCharacter: 'This character must be escaped',
}

const strict = { disallowComments: true, allowTrailingComma: false }

/** The value of a text, or its first mistake with its line. */
export function readJson(
  text: string,
): { readonly value: unknown } | { readonly mistake: Mistake; readonly line: number } {
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, strict)
  const [error] = errors
  if (error === undefined) return { value }
  const from = Math.min(error.offset, text.length)
  const mistake = {
    ...{ from, to: Math.min(text.length, from + Math.max(1, error.length)) },
    message: words[printParseErrorCode(error.error)] ?? 'Not JSON',
  }
  return { mistake, line: text.slice(0, from).split('\n').length }
}

/** The first number that JavaScript cannot keep exactly: it would be changed without a word. */
export function inexactNumber(text: string): { readonly line: number; readonly number: string } | null {
  const find = (node: Node | undefined): Node | undefined => {
    if (node?.type !== 'number') return node?.children?.map(find).find((found) => found !== undefined)
    const written = text.slice(node.offset, node.offset + node.length)
    return isExactNumber(written) ? undefined : node
  }
  const found = find(parseTree(text))
  if (found === undefined) return null
  const line = text.slice(0, found.offset).split('\n').length
  return { line, number: text.slice(found.offset, found.offset + found.length) }
}

/**
 * The places of values by their dotted paths, as the server names them: `components.nickname.rules`. An item of a list is
 * named by its index, or by its `name`, `section` or `step`. A path that leads nowhere gets the place of the deepest value on it.
 */
export function placesOf(text: string, paths: readonly string[]): Place[] {
  const tree = parseTree(text)
  return paths.map((path) => (tree === undefined ? { from: 0, to: 0 } : placeOf(tree, path.split('.'))))
}

function placeOf(tree: Node, segments: readonly string[]): Place {
  let node = tree
  for (const segment of segments) {
    const next = childOf(node, segment)
    if (next === undefined) break
    node = next
  }
  // The name of a property is shorter, and stands where people look.
  const shown = node.parent?.type === 'property' ? node.parent.children![0]! : node
  const isBlock = shown.type === 'object' || shown.type === 'array'
  return { from: shown.offset, to: shown.offset + (isBlock ? 1 : shown.length) }
}

function childOf(node: Node, segment: string): Node | undefined {
  if (node.type !== 'array') return findNodeAtLocation(node, [segment])
  if (/^\d+$/.test(segment)) return node.children?.[Number(segment)]
  return node.children?.find((item) =>
    ['name', 'section', 'step'].some((key) => findNodeAtLocation(item, [key])?.value === segment),
  )
}
