import { readFileSync } from 'node:fs'

/** Variables by name; an empty one counts as unset. */
export type Environ = Readonly<Record<string, string | undefined>>

/** All that is wrong with the settings, one line each, in plain words. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** Reads settings one by one and collects what is wrong with them, so that all of it is told at once. */
export class SettingsReader {
  readonly problems: string[] = []
  /** What may be meant otherwise, one line each. */
  readonly warnings: string[] = []
  readonly #env: Environ
  readonly #known: Set<string>

  /** @param foreign settings of ours that somebody else reads */
  constructor(env: Environ, foreign: readonly string[]) {
    this.#env = env
    this.#known = new Set(foreign)
  }

  text(name: string): string | undefined {
    this.#known.add(name)
    return this.#env[name] || undefined
  }

  /** The value as `parse` reads it; its error is a problem, and `otherwise` stands in so that reading can go on. */
  parsed<T>(name: string, parse: (text: string | undefined) => T, otherwise: T): T {
    return this.attempt(name, () => parse(this.text(name)), otherwise)
  }

  attempt<T>(name: string, read: () => T, otherwise: T): T {
    try {
      return read()
    } catch (error) {
      const { message } = error as Error
      this.problems.push(/^[A-Z]+_[A-Z_]+(?: and [A-Z_]+)*: /.test(message) ? message : `${name}: ${message}`)
      return otherwise
    }
  }

  /** A secret, by itself or in the file that `<name>_FILE` names. */
  secret(name: string): string | undefined {
    const path = this.text(`${name}_FILE`)
    const value = this.text(name)
    if (path === undefined) return value
    if (value !== undefined) this.problems.push(`${name}: set either ${name} or ${name}_FILE, not both`)
    return this.attempt(`${name}_FILE`, () => readFileSync(path, 'utf8').trim(), undefined)
  }

  oneOf<T extends string>(name: string, values: readonly T[], otherwise: T): T {
    const value = this.text(name)
    if (value === undefined) return otherwise
    if (!values.includes(value as T)) {
      this.problems.push(`${name}: is "${value}", but must be one of ${values.join(', ')}`)
    }
    return value as T
  }

  whole(name: string, min: number, max: number, otherwise: number): number {
    const value = this.text(name)
    if (value === undefined) return otherwise
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    if (!(number >= min && number <= max)) {
      this.problems.push(`${name}: is "${value}", but must be a whole number from ${min} to ${max}`)
    }
    return number
  }

  /** A misspelt setting must not go unnoticed: nothing of ours may be set that nobody reads. */
  refuseUnknown(prefix: string): void {
    for (const name of Object.keys(this.#env)) {
      if (!name.startsWith(prefix) || this.#known.has(name)) continue
      this.problems.push(`${name}: there is no such setting; check its spelling`)
    }
  }
}
