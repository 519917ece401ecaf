import type { Command } from 'commander'

/** `help user list` and `user help list`. The one of commander takes a single name, and ignores one that it does not know. */
export function addHelpCommands(group: Command): void {
  if (group.commands.length === 0) return
  for (const command of group.commands) addHelpCommands(command)
  const example = group.parent === null ? 'help user list' : `help ${group.commands[0]!.name()}`
  group
    .helpCommand(false)
    .command('help [command...]')
    .description(`explain a command, such as "${example}"`)
    .action((names: readonly string[]) => {
      let command = group
      for (const name of names) {
        const next = command.commands.find((one) => one.name() === name)
        if (next === undefined) return command.error(`error: unknown command '${name}'`)
        command = next
      }
      command.outputHelp()
    })
}
