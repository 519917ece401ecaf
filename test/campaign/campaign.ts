import { parseArgs } from 'node:util'

/** The options of a campaign on the command line; each campaign reads those it needs. */
export interface CampaignArguments {
  readonly seed: number
  readonly count: number
  readonly cycles: number
  readonly rounds: number
  readonly only?: string
}

/** `npm run campaign -- <name> [--seed N] ...`: runs in any number what `npm test` runs as a sample. */
const campaigns: Record<string, (args: CampaignArguments) => Promise<void>> = {
  fuzz: async (args) => (await import('./fuzz.ts')).runFuzz(args),
  races: async (args) => (await import('./races.ts')).runRaces(args),
  crash: async (args) => (await import('./crash.ts')).runCrashes(args),
  build: async (args) => (await import('./build-crashes.ts')).runBuildCrashes(args),
  events: async (args) => (await import('./event-crashes.ts')).runEventCrashes(args),
  power: async (args) => (await import('./crash.ts')).runPowerLosses(args),
  disk: async (args) => (await import('./disk.ts')).runDisks(args),
  image: async () => (await import('./image.ts')).runImage(),
  enumeration: async (args) => (await import('./enumeration.ts')).runEnumeration(args),
  stop: async (args) => (await import('./stop.ts')).runStops(args),
  proxies: async (args) => (await import('./proxies.ts')).runProxies(args),
  failover: async (args) => (await import('./failover.ts')).runFailovers(args),
  senders: async (args) => (await import('./senders.ts')).runSenders(args),
  clock: async (args) => (await import('./clock.ts')).runClock(args),
}

const number = { type: 'string' } as const
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: number, count: number, cycles: number, rounds: number, only: { type: 'string' } },
})

const whole = (name: 'seed' | 'count' | 'cycles' | 'rounds', otherwise: number): number => {
  const text = values[name] ?? String(otherwise)
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} takes a whole number, not "${text}"`)
  return Number(text)
}

const campaign = campaigns[positionals[0] ?? '']
if (campaign === undefined || positionals.length !== 1) {
  process.stderr.write(`Name a campaign: npm run campaign -- ${Object.keys(campaigns).join(' | ')} [--seed N]\n`)
  process.exit(2)
}
await campaign({
  seed: whole('seed', Date.now() % 1_000_000),
  count: whole('count', 100_000),
  cycles: whole('cycles', 100),
  rounds: whole('rounds', 100),
  ...(values.only !== undefined && { only: values.only }),
})
