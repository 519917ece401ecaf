import type { CampaignOptions } from './campaign-options.ts'

/** A campaign of `npm run campaign -- <name>`. */
interface Campaign {
  readonly about: string
  run(options: CampaignOptions): Promise<void>
}

export const campaigns: Readonly<Record<string, Campaign>> = {
  fuzz: {
    about: 'sends --count generated requests (100,000), and judges each answer',
    run: async ({ count = 100_000, ...args }) => (await import('./fuzz/fuzz.ts')).runFuzz({ ...args, count }),
  },
  races: {
    about: 'sends requests at once, in --rounds of each race or of those in --only, such as D01,D02',
    run: async (args) => (await import('./races/races.ts')).runRaces(args),
  },
  takeover: {
    about: 'lets people try to get into each other’s accounts, alone and at once, in --rounds',
    run: async (args) => (await import('./takeover/takeover.ts')).runTakeover(args),
  },
  crash: {
    about: 'kills a server under load, --cycles times, and compares its rows with its answers',
    run: async (args) => (await import('./crashes/crash.ts')).runCrashes(args),
  },
  power: {
    about: 'the same, and the disk loses what was not synced',
    run: async (args) => (await import('./crashes/crash.ts')).runPowerLosses(args),
  },
  build: {
    about: 'kills a server while it indexes a field, --cycles times, and checks the index',
    run: async (args) => (await import('./crashes/build-crashes.ts')).runBuildCrashes(args),
  },
  events: {
    about: 'kills a server while it seals events, --cycles times, and verifies its logs',
    run: async (args) => (await import('./crashes/event-crashes.ts')).runEventCrashes(args),
  },
  disk: {
    about: 'fails the disk of a server under load, --cycles times, with each fault in turn',
    run: async (args) => (await import('./crashes/disk.ts')).runDisks(args),
  },
  stop: {
    about: 'stops a server under load, --cycles times, and restarts servers behind a proxy as often',
    run: async (args) => (await import('./stops/stop.ts')).runStops(args),
  },
  proxies: {
    about: 'restarts servers behind nginx and HAProxy, --cycles times each',
    run: async (args) => (await import('./stops/proxies.ts')).runProxies(args),
  },
  failover: {
    about: 'kills the primary of a pair of PostgreSQL servers, --cycles times, each after --count writes (1,000)',
    run: async ({ count = 1_000, ...args }) => (await import('./crashes/failover.ts')).runFailovers({ ...args, count }),
  },
  senders: {
    about: 'sends messages to a mail server that defers some and goes away, in --rounds',
    run: async (args) => (await import('./senders.ts')).runSenders(args),
  },
  clock: {
    about: 'sets the wall clock of a service forth and back, in --rounds',
    run: async (args) => (await import('./clock.ts')).runClock(args),
  },
  enumeration: {
    about:
      'compares the times of --count answers (2,000) for known and unknown addresses; --only fast: with one mail server',
    run: async ({ count = 2_000, ...args }) => (await import('./enumeration.ts')).runEnumeration({ ...args, count }),
  },
  image: {
    about: 'builds the image step by step with a real npm ci, and starts it',
    run: async () => (await import('./image.ts')).runImage(),
  },
}
