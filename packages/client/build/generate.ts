import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { z } from 'zod'
import { errors } from '../../../contract/errors.ts'
import type { Operation } from '../../../contract/operation.ts'
import { operations } from '../../../contract/operations.ts'
import { docComment, type NamedSchema, TypePrinter } from './type-printer.ts'

const contract = join(import.meta.dirname, '../../../contract')
const folder = join(import.meta.dirname, '../src/generated')
const header =
  '// Generated from contract/ by packages/client/build/generate.ts (npm run generate -w @tenantry/client). Do not edit.\n\n'

/** The operations of one entry of the package, and the names of their declarations. */
interface Entry {
  readonly operations: readonly (readonly [name: string, operation: Operation])[]
  /** Begins the names of the declarations of all operations. */
  readonly prefix: '' | 'Admin'
  readonly called: string
}

const isAdmin = ({ auth }: Operation): boolean => auth === 'admin'
const all = Object.entries<Operation>(operations)
const core: Entry = {
  operations: all.filter(([, operation]) => !isAdmin(operation)),
  prefix: '',
  called: "Every operation for a tenant's applications",
}
const admin: Entry = {
  operations: all.filter(([, operation]) => isAdmin(operation)),
  prefix: 'Admin',
  called: 'Every operation of the operator',
}

/** The generated files of the client by path: the types of all operations without Zod, and the tables of routes. */
export async function generate(): Promise<Map<string, string>> {
  const printer = new TypePrinter(await findNamedSchemas())
  const codes = Object.keys(errors).map((code) => `| ${JSON.stringify(code)}\n`)
  const types = `${printTypes(printer, core)}/** Identifies an error of the service. */\nexport type ErrorCode =\n${codes.join('')}\n`
  const shared = [...printer.declared]
  const adminTypes = printTypes(printer, admin)
  const added = [...printer.declared].slice(shared.length)
  const texts = {
    'types.ts': withImports(types + textOf(shared), []),
    'routes.ts': printRoutes(core),
    'admin-types.ts': withImports(adminTypes + textOf(added), shared),
    'admin-routes.ts': printRoutes(admin),
  }
  return new Map(Object.entries(texts).map(([file, text]) => [join(folder, file), format(header + text)]))
}

const textOf = (declarations: readonly (readonly [string, string])[]) => declarations.map(([, text]) => text).join('\n')

/** Declarations with imports of what they refer to, also of `shared` ones in `types.ts`. */
function withImports(text: string, shared: readonly (readonly [string, string])[]): string {
  const words = new Set(text.replaceAll(/\/\*\*[\s\S]*?\*\/|"[^"]*"/g, '').match(/\w+/g))
  const sources = {
    '../call-options.ts': ['CallOptions'],
    '../lines-source.ts': ['Lines'],
    './types.ts': shared.map(([name]) => name),
  }
  const imports = Object.entries(sources).flatMap(([source, names]) => {
    const used = names.filter((name) => words.has(name)).toSorted()
    return used.length > 0 ? `import type { ${used.join(', ')} } from '${source}'\n` : []
  })
  return `${imports.join('')}\n${text}`
}

/** Biome's format, as of every file here. */
function format(text: string): string {
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')
  const args = [biome, 'format', '--stdin-file-path=generated.ts']
  return execFileSync(process.execPath, args, { input: text, encoding: 'utf8', cwd: import.meta.dirname })
}

/** The methods, inputs and answers of the operations; `printer` then has what they refer to. */
function printTypes(printer: TypePrinter, { operations, prefix, called }: Entry): string {
  const methods: string[] = []
  const inputs: string[] = []
  const outputs: string[] = []
  for (const [name, operation] of operations) {
    const type = name[0]!.toUpperCase() + name.slice(1)
    const declare = (part: string, schema: z.ZodType) => {
      const printed = printer.print(schema, 'input')
      return isPlain(printed) ? printed : printer.declare(type + part, schema, 'input')
    }
    const parameters = []
    if (operation.params) parameters.push(`params: ${printer.printBody(operation.params, 'input')}`)
    const optional = operation.method === 'POST' && operation.body?.safeParse({}).success ? '?' : ''
    const body = operation.body && declare('Body', operation.bodyShape ?? operation.body)
    const query = operation.query && declare('Query', operation.query)
    if (body) parameters.push(`body${optional}: ${body}`)
    if (operation.bodyLines) {
      declare('Line', operation.bodyLines)
      parameters.push('lines: Lines')
    }
    const omissible = operation.query?.safeParse({}).success ? '?' : ''
    if (query && !hasQueryInOptions(operation)) parameters.push(`query${omissible}: ${query}`)
    const options = hasQueryInOptions(operation)
      ? `CallOptions & { readonly query?: ${query} | undefined }`
      : 'CallOptions'
    const output = printer.print(operation.output, 'output')
    const answer = isPlain(output) ? output : printer.declare(`${type}Answer`, operation.output, 'output')
    const result = operation.outputLines
      ? `AsyncIterable<${answer}>`
      : `Promise<${answer === 'undefined' ? 'void' : answer}>`
    const text = [`${operation.summary}.`, operation.description].filter(Boolean).join('\n\n')
    methods.push(`${docComment(text)}${name}(${[...parameters, `options?: ${options}`].join(', ')}): ${result}\n`)
    if (body ?? query) inputs.push(`${name}: ${body ?? query}\n`)
    outputs.push(`${name}: ${answer}\n`)
  }
  return [
    `/** ${called} as a method. */\nexport interface ${prefix}Operations {\n${methods.join('\n')}}\n\n`,
    `/** The body, or else the query, of each operation. */\nexport interface ${prefix}Inputs {\n${inputs.join('')}}\n\n`,
    `/** The answer of each operation. */\nexport interface ${prefix}Answers {\n${outputs.join('')}}\n\n`,
  ].join('')
}

/** The route of each operation: what the client needs at run time. */
function printRoutes({ operations, prefix }: Entry): string {
  const rows = operations.map(([name, operation]) => {
    const { method, path, auth, envelope } = operation
    const route = { method, path, auth, takes: takes(operation), gives: gives(operation), envelope }
    const members = Object.entries(route).filter(([, value]) => value !== undefined)
    return `  ${name}: { ${members.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join(', ')} },\n`
  })
  const table = prefix === '' ? 'routes' : 'adminRoutes'
  return `import type { Route } from '../route.ts'\n\nexport const ${table}: Readonly<Record<string, Route>> = {\n${rows.join('')}}\n`
}

/** Where a query was added to a method with a body, the options of existing calls stay where they are. */
const hasQueryInOptions = (operation: Operation): boolean =>
  operation.body !== undefined && operation.query !== undefined && !isAdmin(operation)

function takes(operation: Operation): string | undefined {
  const { body, bodyLines, query } = operation
  if (body) return query && !hasQueryInOptions(operation) ? 'body, query' : 'body'
  if (bodyLines) return query ? 'lines, query' : 'lines'
  return query && 'query'
}

const gives = ({ outputLines, outputText }: Operation) => (outputLines ? 'lines' : outputText && 'text')

/** The exported schemas of the contract by identity. Those of plain strings and numbers are not worth a name. */
async function findNamedSchemas(): Promise<Map<z.core.$ZodType, NamedSchema>> {
  const found = new Map<z.core.$ZodType, NamedSchema>()
  const unnamed = new TypePrinter(new Map())
  for (const file of globSync('**/*.ts', { cwd: contract, exclude: ['**/*.test.ts'] }).toSorted()) {
    const exported: Record<string, unknown> = await import(join(contract, file))
    const source = readFileSync(join(contract, file), 'utf8')
    for (const [name, value] of Object.entries(exported)) {
      if (!/^[A-Z]/.test(name) || typeof value !== 'object' || value === null || !('_zod' in value)) continue
      const schema = value as z.core.$ZodType
      if (isPlain(unnamed.expand(schema, 'input'))) continue
      found.set(schema, { name, description: commentAbove(`export const ${name} = `, source) })
    }
  }
  return found
}

/** The text of the doc comment above a declaration. */
function commentAbove(declaration: string, source: string): string | undefined {
  const above = source.slice(0, source.indexOf(declaration))
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n$/.exec(above)?.[1]
  return comment?.replaceAll(/\s*\n \*\s?/g, ' ').trim()
}

const isPlain = (type: string) => /^\w+$/.test(type)

if (import.meta.main) for (const [path, text] of await generate()) writeFileSync(path, text)
