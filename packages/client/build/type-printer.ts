import type { z } from 'zod'
import { isParameterGroup } from '../../../contract/parameter-group.ts'

/** `input`: what a caller may send. `output`: what the service answers. */
export type Direction = 'input' | 'output'

/** A schema that the contract exports. */
export interface NamedSchema {
  readonly name: string
  readonly description: string | undefined
}

type Schema = z.core.$ZodType
type Def = z.core.$ZodTypes['_zod']['def']

/** Prints Zod schemas as TypeScript types. Schemas with a name are declared once and referred to by it. */
export class TypePrinter {
  /** The declarations that the printed types refer to, by name. */
  readonly declared: Map<string, string> = new Map()
  readonly #named: ReadonlyMap<Schema, NamedSchema>

  /** @param named the schemas to declare by their names */
  constructor(named: ReadonlyMap<Schema, NamedSchema>) {
    this.#named = named
  }

  /**
   * A reference to the type of a schema: its name, which gets declared, or the type itself. If callers may send something
   * else than the service answers, the name of what they send ends in `Input`.
   */
  print(schema: Schema, direction: Direction): string {
    const named = this.#named.get(schema)
    if (named === undefined) return this.printBody(schema, direction)
    const differs = direction === 'input' && this.expand(schema, 'input') !== this.expand(schema, 'output')
    const name = differs && !named.name.endsWith('Input') ? `${named.name}Input` : named.name
    return this.declare(name, schema, direction, named.description)
  }

  /** Declares the type of a schema and returns its name. */
  declare(name: string, schema: Schema, direction: Direction, description?: string): string {
    if (this.declared.has(name)) return name
    // First, because a schema may refer to itself.
    this.declared.set(name, '')
    const body = this.printBody(schema, direction)
    const isObject = (schema._zod.def as Def).type === 'object' && body.startsWith('{')
    const declaration = isObject ? `interface ${name} ${body}` : `type ${name} = ${body}`
    this.declared.set(name, `${docComment(descriptionOf(schema) ?? description)}export ${declaration}\n`)
    return name
  }

  /** The type of a schema without names, for comparisons. */
  expand(schema: Schema, direction: Direction, open: ReadonlySet<Schema> = new Set()): string {
    // A schema that refers to itself expands to its name.
    if (open.has(schema)) return this.#named.get(schema)?.name ?? 'unknown'
    const inside = new Set(open).add(schema)
    return this.printBody(schema, direction, (inner) => this.expand(inner, direction, inside))
  }

  /** The type of a schema without its own name. */
  printBody(
    schema: Schema,
    direction: Direction,
    print: (inner: Schema) => string = (inner) => this.print(inner, direction),
  ): string {
    const def = schema._zod.def as Def
    switch (def.type) {
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
      case 'unknown':
      case 'undefined':
      case 'never':
        return def.type
      // The contract has custom checks and transforms of strings only; the test of the generated types shows it.
      case 'custom':
      case 'transform':
        return 'string'
      case 'literal':
        return def.values.map((value) => JSON.stringify(value)).join(' | ')
      case 'enum':
        return Object.values(def.entries)
          .map((value) => JSON.stringify(value))
          .join(' | ')
      case 'array':
        return `${inParentheses(print(def.element))}[]`
      case 'nullable':
        return `${print(def.innerType)} | null`
      case 'lazy':
        return print(def.getter())
      case 'optional':
      case 'default':
        return print(def.innerType)
      case 'union':
        return [...new Set(def.options.map((option) => print(option)))].join(' | ')
      case 'record':
        return `Record<${print(def.keyType)}, ${print(def.valueType)}>`
      case 'pipe':
        // A query arrives as text; where it must be a number, callers may give one.
        if (direction === 'input' && (schema as z.ZodType).meta()?.['type'] === 'integer') return 'number | string'
        return print(direction === 'input' ? def.in : def.out)
      case 'object':
        return this.#printObject(def, direction, print)
      default:
        throw new Error(`${def.type} has no TypeScript form yet; add it to type-printer.ts`)
    }
  }

  #printObject(def: z.core.$ZodObjectDef, direction: Direction, print: (inner: Schema) => string): string {
    const members = Object.entries(def.shape).map(([name, schema]) => {
      // Its parameters have their names in requests.
      if (isParameterGroup(schema)) {
        const key = `[parameter: \`${name}.\${string}\`]`
        return `${docComment(descriptionOf(schema))}${key}: string | number | boolean | undefined\n`
      }
      const isOptional = direction === 'input' ? schema._zod.optin : schema._zod.optout
      // With exactOptionalPropertyTypes, a caller could not give a value that may be undefined.
      const type = isOptional ? `?: ${print(schema)} | undefined` : `: ${print(schema)}`
      return `${docComment(descriptionOf(schema))}${name}${type}\n`
    })
    const rest = def.catchall?._zod.def as Def | undefined
    if (rest !== undefined && rest.type !== 'never') members.push(`[field: string]: ${print(def.catchall as Schema)}\n`)
    return members.length === 0 ? 'Record<never, never>' : `{\n${members.join('')}}`
  }
}

/** Descriptions lie on the schema or on what it makes optional. */
export function descriptionOf(schema: Schema): string | undefined {
  const { description } = schema as z.ZodType
  const inner = (schema._zod.def as { innerType?: Schema }).innerType
  return description ?? (inner && descriptionOf(inner))
}

export function docComment(text: string | undefined): string {
  if (text === undefined) return ''
  const lines = wrap(text.replaceAll('*/', '*\\/'), 112)
  return lines.length === 1 ? `/** ${lines[0]} */\n` : `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      if (line !== '' && line.length + word.length + 1 > width) {
        lines.push(line)
        line = word
      } else line = line === '' ? word : `${line} ${word}`
    }
    lines.push(line)
  }
  return lines
}

const inParentheses = (type: string) => (type.includes(' | ') ? `(${type})` : type)
