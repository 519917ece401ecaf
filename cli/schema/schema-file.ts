import { readFile, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type ParseError, parse, printParseErrorCode, visit } from 'jsonc-parser'
import { readText } from '../terminal/input.ts'
import { unwritable } from '../terminal/private-file.ts'
import { CommandFailure, type Terminal } from '../terminal/terminal.ts'

/** Reads a profile schema: JSON that may have comments and trailing commas; `-` is standard input. */
export async function readSchema(path: string, terminal: Terminal): Promise<object> {
  const text = await readText(path, terminal)
  const source = path === '-' ? 'Standard input' : path
  const problems: ParseError[] = []
  const value: unknown = parse(text, problems, { allowTrailingComma: true })
  const [problem] = problems
  if (problem !== undefined) {
    // Such as `CloseBracketExpected`.
    const words = printParseErrorCode(problem.error).replaceAll(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    throw new CommandFailure(`${source} is not valid JSON: ${words} at ${placeOf(problem.offset, text)}`)
  }
  const duplicate = findDuplicate(text)
  if (duplicate !== undefined) {
    const { name, offset } = duplicate
    throw new CommandFailure(
      `${source} has "${name}" twice in one object, again at ${placeOf(offset, text)}; remove one`,
    )
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new CommandFailure(`${source} must contain a JSON object: { ... }`)
}

function placeOf(offset: number, text: string): string {
  const lines = text.slice(0, offset).split('\n')
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}`
}

/** The first property that its object has already: JSON would ignore the one before without a word. */
function findDuplicate(text: string): { readonly name: string; readonly offset: number } | undefined {
  const known = new Set<string>()
  let found: { name: string; offset: number } | undefined
  visit(
    text,
    {
      onObjectProperty(name, offset, _length, _line, _column, path) {
        const key = JSON.stringify([...path(), name])
        if (known.has(key)) found ??= { name, offset }
        known.add(key)
      },
    },
    { allowTrailingComma: true },
  )
  return found
}

const startingSchema = new URL('starting-schema.jsonc', import.meta.url)
const exampleUrl = 'http://127.0.0.1:4000/profile-schema.json'

/**
 * Writes the commented starting file unless the path exists.
 * @param baseUrl the server whose JSON Schema the editor reads
 */
export async function writeStartingSchema(path: string, baseUrl: string, terminal: Terminal): Promise<void> {
  const text = await readFile(startingSchema, 'utf8')
  const url = new URL('/profile-schema.json', baseUrl).href
  const file = resolve(terminal.folder, path)
  try {
    await writeFile(file, text.replace(exampleUrl, url), { flag: 'wx' })
  } catch (error) {
    if (path !== '' && (error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new CommandFailure(`File ${path} exists already. Choose another name, or delete it first.`)
    await rm(file, { force: true }).catch(() => {}) // The original error is reported.
    throw unwritable(path, error)
  }
}
