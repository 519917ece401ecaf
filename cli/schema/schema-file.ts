import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { readText } from '../terminal/input.ts'
import { CommandFailure, type Terminal } from '../terminal/terminal.ts'

/** Reads a profile schema: JSON that may have comments and trailing commas; `-` is standard input. */
export async function readSchema(path: string, terminal: Terminal): Promise<object> {
  const text = await readText(path, terminal)
  const source = path === '-' ? 'Standard input' : path
  const problems: ParseError[] = []
  const value: unknown = parse(text, problems, { allowTrailingComma: true })
  const [problem] = problems
  if (problem !== undefined) {
    const lines = text.slice(0, problem.offset).split('\n')
    const place = `line ${lines.length}, column ${lines.at(-1)!.length + 1}`
    // Such as `CloseBracketExpected`.
    const words = printParseErrorCode(problem.error).replaceAll(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    throw new CommandFailure(`${source} is not valid JSON: ${words} at ${place}`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new CommandFailure(`${source} must contain a JSON object: { ... }`)
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
  try {
    await writeFile(resolve(terminal.folder, path), text.replace(exampleUrl, url), { flag: 'wx' })
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST'
    throw new CommandFailure(
      exists
        ? `File ${path} exists already. Choose another name, or delete it first.`
        : `Failed to write ${path}: ${(error as Error).message}`,
    )
  }
}
