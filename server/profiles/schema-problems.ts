/** More than this many problems help nobody, and a hostile schema could have a million. */
const MAX_PROBLEMS = 100

/** What is wrong with a schema that was handed in: dotted path → what is wrong and what to do; the first one a path stands. */
export class SchemaProblems {
  readonly #messages = new Map<string, string>()
  #count = 0

  add(path: string, message: string): void {
    this.#count++
    if (this.#messages.size < MAX_PROBLEMS && !this.#messages.has(path)) this.#messages.set(path, message)
  }

  /** How many were added, told or not: a part is sound when checking it did not raise this. */
  get count(): number {
    return this.#count
  }

  /** Adds a problem for every key that is not among the known ones. */
  refuseOtherKeys(path: string, record: Readonly<Record<string, unknown>>, known: readonly string[]): void {
    for (const key of Object.keys(record)) {
      if (!known.includes(key))
        this.add(at(path, key), `is not known here; remove it, or use one of: ${known.join(', ')}`)
    }
  }

  /** As `error.validation`; a key called `__proto__` stays a plain key. */
  toValidation(): Record<string, string> {
    return Object.fromEntries(this.#messages)
  }
}

/** The path of a part; what the publisher called it is cut at 64 characters and made well-formed. */
export function at(path: string, key: string | number): string {
  const shown = typeof key === 'string' ? key.slice(0, 64).toWellFormed() : key
  return path === '' ? `${shown}` : `${path}.${shown}`
}

/** Whether the value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
