import { Argument, type Command } from 'commander'
import type { Terminal } from '../terminal/terminal.ts'
import { commandsOf } from './completed-commands.ts'
import { bashScript } from './completion-bash.ts'
import { fishScript } from './completion-fish.ts'
import { zshScript } from './completion-zsh.ts'

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript }
type Shell = keyof typeof scripts

const notes = `
Examples:
  source <(tenantry completion bash)                                   # in ~/.bashrc
  source <(tenantry completion zsh)                                    # in ~/.zshrc, after compinit
  tenantry completion fish > ~/.config/fish/completions/tenantry.fish`

/** `tenantry completion`: scripts that are generated from the commands of this version. */
export function addCompletionCommand(program: Command, terminal: Terminal): void {
  program
    .command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'name of the shell').choices(Object.keys(scripts)))
    .addHelpText('after', notes)
    .action((shell: Shell) => terminal.write(scripts[shell](commandsOf(program))))
}
