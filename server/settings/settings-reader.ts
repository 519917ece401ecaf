import { readSecretFile } from '../core/file-refusal.ts'

/** Variables by name; an empty one counts as unset. */
export type Environ = Readonly<Record<string, string | undefined>>

/** Every problem with the settings, one line each. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** Reads settings and collects their problems, so that all are reported at once. */
export class SettingsReader {
  readonly problems: string[] = []
  /** Settings that are valid but probably unintended, one line each. */
  readonly warnings: string[] = []
  readonly #env: Environ
  readonly #known: Set<string>

  /** @param foreign names of settings that other programs of this repository read */
  constructor(env: Environ, foreign: readonly string[]) {
    this.#env = env
    this.#known = new Set(foreign)
  }

  text(name: string): string | undefined {
    this.#known.add(name)
    return this.#env[name] || undefined
  }

  /** The parsed value. An error of `parse` becomes a problem, and `otherwise` is returned so that reading continues. */
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

  /**
   * A secret, in the variable itself or in the file named by `<name>_FILE`.
   *
   * @param emptyFile an empty file is mostly left by a command that failed; `unset` where it means that there is no secret
   */
  secret(name: string, emptyFile: 'refused' | 'unset' = 'refused'): string | undefined {
    const path = this.text(`${name}_FILE`)
    const value = this.text(name)
    if (path === undefined) return value
    if (value !== undefined) this.problems.push(`${name}: set either ${name} or ${name}_FILE, not both`)
    const read = () => {
      const content = readSecretFile(path)
      if (content === '' && emptyFile === 'refused') throw new Error(`${path} is empty`)
      return content || undefined
    }
    return this.attempt(`${name}_FILE`, read, undefined)
  }

  oneOf<T extends string>(name: string, values: readonly T[], otherwise: T): T {
    const value = this.text(name)
    if (value === undefined) return otherwise
    if (!values.includes(value as T)) {
      this.problems.push(`${name}: "${value}" is not valid; allowed: ${values.join(', ')}`)
    }
    return value as T
  }

  whole(name: string, min: number, max: number, otherwise: number): number {
    const value = this.text(name)
    if (value === undefined) return otherwise
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    if (!(number >= min && number <= max)) {
      this.problems.push(`${name}: "${value}" is not valid; allowed: whole numbers from ${min} to ${max}`)
    }
    return number
  }

  /** Reports misspelt settings: every variable with the prefix must be known. */
  refuseUnknown(prefix: string): void {
    for (const name of Object.keys(this.#env)) {
      if (!name.startsWith(prefix) || this.#known.has(name)) continue
      const bare = name.slice(prefix.length)
      const advice = this.#known.has(bare) ? `its name is ${bare}` : 'check the spelling'
      this.problems.push(`${name}: unknown setting; ${advice}`)
    }
  }
}
