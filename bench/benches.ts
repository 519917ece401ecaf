import type { BenchOptions } from './compare.ts'

/** The options of a bench on the command line; each bench reads those it needs. */
export interface BenchArguments extends Omit<BenchOptions, 'users'> {
  /** Without it, each bench has its own number. */
  readonly users?: number
  readonly profiles: number
  readonly postgres: boolean
  readonly events: number
  readonly messages: number
  readonly challenges: number
  /** The folder for CPU profiles. */
  readonly profile?: string
  /** Settings of this checkout that another one does not get, by name. */
  readonly set?: Readonly<Record<string, string>>
  /** Other checkouts. */
  readonly folders: readonly string[]
}

/** Options that change what is measured. A bench that does not take one refuses it, because its figures would mislead. */
const choices = ['only', 'quietCheck', 'postgres', 'profile', 'set'] as const

type Choice = (typeof choices)[number]

/** A bench of `npm run bench -- <name>`. */
interface Bench {
  readonly about: string
  readonly takes?: readonly (Choice | 'folders')[]
  run(args: BenchArguments): Promise<void>
}

const usersOf = (args: BenchArguments, otherwise = 100_000): BenchArguments & { readonly users: number } => ({
  ...args,
  users: args.users ?? otherwise,
})

/** `npm run bench`: the service, and beside it hand-written servers that do the same work or none. */
export const serviceBench: Omit<Bench, 'about'> = {
  takes: ['only', 'quietCheck', 'profile'],
  run: async (args) => (await import('./compare.ts')).benchService(usersOf(args)),
}

export const benches: Readonly<Record<string, Bench>> = {
  against: {
    about: 'this checkout and the one in a folder, in alternating rounds; --set NAME=value for this one only',
    takes: ['folders', 'only', 'quietCheck', 'set'],
    run: async (args) =>
      (await import('./against.ts')).benchAgainst({ ...usersOf(args), folder: args.folders[0]!, env: args.set ?? {} }),
  },
  start: {
    about: 'startup of this checkout and of those in folders',
    takes: ['folders'],
    run: async (args) => (await import('./startup.ts')).benchStartup(args),
  },
  import: {
    about: 'imports and exports of --users by this checkout and by those in folders; with --postgres on PostgreSQL',
    takes: ['folders', 'postgres'],
    run: async (args) => (await import('./import.ts')).benchImport(usersOf(args, 2_000)),
  },
  'slow-disk': {
    about: 'reads while writes wait for a slow disk',
    run: async (args) => (await import('./slow-disk.ts')).benchSlowDisk(usersOf(args)),
  },
  conditions: {
    about: 'the configuration of a tenant with conditions on 200 fields',
    run: async (args) => (await import('./conditions.ts')).benchConditions(usersOf(args)),
  },
  indexed: {
    about: 'updates of profiles with and without indexed fields',
    run: async (args) => (await import('./indexed-fields.ts')).benchIndexedFields(usersOf(args)),
  },
  delivery: {
    about: 'messages to an SMTP server: --messages from a full outbox, and those of --challenges',
    run: async (args) => (await import('./delivery.ts')).benchDelivery(args),
  },
  postgres: {
    about: 'one and two processes on PostgreSQL, and the same statements without the service',
    takes: ['only'],
    run: async (args) => (await import('./postgres.ts')).benchPostgres(usersOf(args)),
  },
  growth: {
    about: '1,000 and 1,000,000 users on both engines',
    takes: ['only'],
    run: async (args) => (await import('./growth.ts')).benchGrowth(args),
  },
  'schema-check': {
    about: 'the check of a schema against --profiles stored profiles',
    run: async ({ profiles }) => (await import('./schema-check.ts')).benchSchemaCheck(profiles),
  },
  search: {
    about: 'searches of --users by profile fields',
    run: async (args) => (await import('./search.ts')).benchSearch(usersOf(args, 1_000_000)),
  },
  users: {
    about: 'lists and searches of --users',
    run: async (args) => (await import('./users.ts')).benchUsers(usersOf(args, 1_000_000)),
  },
  events: {
    about: 'what recording events costs a request; with --postgres on PostgreSQL',
    takes: ['only', 'postgres', 'profile'],
    run: async (args) => (await import('./events.ts')).benchEvents(usersOf(args)),
  },
  'event-log': {
    about: 'lists and the export of a log of --events',
    takes: ['only'],
    run: async (args) => (await import('./event-log.ts')).benchEventLog(usersOf(args)),
  },
  'event-relay': {
    about: 'sealing of --events that are queued, and of new ones',
    run: async (args) => (await import('./event-relay.ts')).benchEventRelay(args),
  },
  'events-verify': {
    about: 'verification of a log of --events and of its export',
    run: async (args) => (await import('./events-verify.ts')).benchEventsVerify(args),
  },
  counting: {
    about: 'what counting for the statistics costs; with --postgres on PostgreSQL',
    takes: ['only', 'postgres'],
    run: async (args) => (await import('./counting.ts')).benchCounting(usersOf(args)),
  },
}

/** An option on the command line that a bench does not take. */
export const untaken = (
  { takes = [] }: Pick<Bench, 'takes'>,
  isGiven: (choice: Choice) => boolean,
): Choice | undefined => choices.find((choice) => isGiven(choice) && !takes.includes(choice))
