import { Command, InvalidArgumentError } from 'commander'

const misused = 2

/**
 * The command line of a script of package.json. `--help` prints its usage. A mistake prints what is wrong on standard error and
 * ends the process with code 2, as in `tenantry`.
 * @param script `npm run bench`
 */
export const createCommand = (script: string): Command =>
  new Command(`${script} --`)
    .helpOption('--help', 'print this')
    .showHelpAfterError('(run with --help for usage)')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : misused))

/** A mistake in the words of a command that is found while it runs. */
export class Misuse extends Error {}

/** Parses the words of this process and runs the command's action. */
export async function runCommand(command: Command): Promise<void> {
  try {
    await command.parseAsync()
  } catch (error) {
    if (!(error instanceof Misuse)) throw error
    command.error(`error: ${error.message}`)
  }
}

/** Reads an argument or the value of an option that is one of these. */
export const oneOf =
  (names: readonly string[]) =>
  (text: string): string => {
    if (names.includes(text)) return text
    throw new InvalidArgumentError(`Allowed choices are ${names.join(', ')}.`)
  }

/** For the end of the help: each name, and what it stands for. */
export function describeNames(title: string, named: Readonly<Record<string, { readonly about: string }>>): string {
  const width = Math.max(...Object.keys(named).map(({ length }) => length))
  const lines = Object.entries(named).map(([name, { about }]) => `  ${name.padEnd(width)}  ${about}`)
  return ['', title, ...lines].join('\n')
}

/** Reads the value of an option. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It takes a whole number.')
  return Number(text)
}

/** Reads the value of an option, such as 0.5 seconds. */
export function positiveNumber(text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new InvalidArgumentError('It takes a number above 0.')
  return value
}
