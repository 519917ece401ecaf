import type { Command } from 'commander'

/** What follows an option, or stands in the place of an argument. */
type Value = 'text' | 'file' | readonly string[]

/** An option as its long flag; `value` is null for a switch. */
export interface CompletedOption {
  readonly flag: string
  readonly description: string
  readonly value: Value | null
}

/** A command of the program, by the words that select it: `user profile get`; '' is the program itself. */
export interface CompletedCommand {
  readonly route: string
  readonly subcommands: readonly { readonly name: string; readonly description: string }[]
  readonly options: readonly CompletedOption[]
  /** The values of its arguments, without free text. */
  readonly values: readonly Exclude<Value, 'text'>[]
}

/** The command and everything below it. */
export function commandsOf(command: Command, route = ''): CompletedCommand[] {
  const help = command.createHelp()
  const below = help.visibleCommands(command)
  const own: CompletedCommand = {
    route,
    subcommands: below.map((one) => ({ name: one.name(), description: one.description() })),
    options: [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)].map((option) => ({
      flag: option.long ?? option.flags,
      description: option.description,
      value: option.required || option.optional ? completedValue(option.flags, option.argChoices) : null,
    })),
    values: command.registeredArguments
      .map((argument) => completedValue(`<${argument.name()}>`, argument.argChoices))
      .filter((value) => value !== 'text'),
  }
  return [own, ...below.flatMap((one) => commandsOf(one, `${route} ${one.name()}`.trim()))]
}

const completedValue = (placeholder: string, choices: readonly string[] | undefined): Value =>
  choices ?? (placeholder.includes('<file>') ? 'file' : 'text')

/** Options with a value, so that the value is not taken for a command. */
export const flagsWithValue = (commands: readonly CompletedCommand[]): string[] => [
  ...new Set(commands.flatMap(({ options }) => options.filter(({ value }) => value !== null).map(({ flag }) => flag))),
]

/** The words that can follow a command. */
export const wordsAfter = ({ subcommands, options, values }: CompletedCommand): string[] => [
  ...subcommands.map(({ name }) => name),
  ...values.filter((value) => value !== 'file').flat(),
  ...options.map(({ flag }) => flag),
]
