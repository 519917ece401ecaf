import type { Command } from 'commander'

/** `help user list`. The one of commander takes a single name, and does not say which one it does not know. */
export function addHelpCommand(program: Command): void {
  program
    .helpCommand(false)
    .command('help [command...]')
    .description('explain a command, such as "help user list"')
    .action((names: readonly string[]) => {
      let command = program
      for (const name of names) {
        const next = command.commands.find((one) => one.name() === name)
        if (next === undefined) return command.error(`error: unknown command '${name}'`)
        command = next
      }
      command.outputHelp()
    })
}
