/** A hostile schema could have a million problems. */
const MAX_PROBLEMS = 100

/** The problems of a schema: dotted path → what is wrong and what to do. The first problem of a path is kept. */
export class SchemaProblems {
  readonly #messages = new Map<string, string>()
  #count = 0

  add(path: string, message: string): void {
    this.#count++
    if (this.#messages.size < MAX_PROBLEMS && !this.#messages.has(path)) this.#messages.set(path, message)
  }

  /** How many were added, including those not kept: a part is valid when checking it did not increase this. */
  get count(): number {
    return this.#count
  }

  /** Adds a problem for every unknown key. */
  refuseOtherKeys(path: string, record: Readonly<Record<string, unknown>>, known: readonly string[]): void {
    for (const key of Object.keys(record)) {
      if (!known.includes(key)) this.add(at(path, key), `unknown property; allowed properties: ${known.join(', ')}`)
    }
  }

  /** As `error.validation`; a key called `__proto__` stays a plain key. */
  toValidation(): Record<string, string> {
    return Object.fromEntries(this.#messages)
  }
}

/** A key from the input as messages show it: at most 64 characters, well-formed. */
export const shownKey = (key: string): string => key.slice(0, 64).toWellFormed()

/** The path of a property. */
export function at(path: string, key: string): string {
  return path === '' ? shownKey(key) : `${path}.${shownKey(key)}`
}
