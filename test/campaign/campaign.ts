import { Option } from 'commander'
import { createCommand, describeNames, oneOf, runCommand, wholeNumber } from '../support/runner/command-line.ts'
import type { CampaignOptions } from './campaign-options.ts'
import { campaigns } from './campaigns.ts'

/** `npm run campaign -- <name> [--seed N] ...`: runs in any number what `npm test` runs as a sample. */
const command = createCommand('npm run campaign')
  .description('Runs in any number what tests run as a sample.')
  .argument('<campaign>', 'one of those below', oneOf(Object.keys(campaigns)))
  .addOption(
    new Option('--seed <number>', 'repeats the random choices of a run')
      .argParser(wholeNumber)
      .default(Date.now() % 1_000_000, 'from the time'),
  )
  .option('--cycles <number>', 'how often to kill, stop or fail', wholeNumber, 100)
  .option('--rounds <number>', 'how often to race, send or turn', wholeNumber, 100)
  .option('--count <number>', 'how many requests, pairs or writes; default: that of the campaign', wholeNumber)
  .option('--only <names>', 'a part of a campaign')
  .addHelpText('after', describeNames('Campaigns:', campaigns))
  .action((name: string, options: CampaignOptions) => campaigns[name]!.run(options))

await runCommand(command)
