import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { isUlid } from '../../../server/core/ids.ts'
import type { TestDatabase } from '../databases/test-database.ts'

/** What the services on a database handed out or were given: secrets, and what is shown. */
interface Collected {
  readonly secrets: Set<string>
  readonly shown: Set<string>
}
const collectedOf = new WeakMap<TestDatabase, Collected>()

/** Members of answers: keys, tokens, password hashes, and codes, whose name error codes share. */
const answered = /"(?:key|accessToken|refreshToken|passwordHash)":"([^"]{8,})"|"code":"(\d{6,})"/g
/** The answer of a request for a code: its id is the token that a verified one-time password is used with. */
const issued = /"id":"([^"]{26})","createdAt":"[^"]*","expiresAt":"[^"]*","resendIntervalSeconds"/g
/** Members of bodies. */
const given = /^(?:password|currentPassword|passwordHash|idToken|nonce|refreshToken|secret|authToken|key)$/
/** Other members of these names are too short, words that a log may contain, or the ids that hostile requests send. */
const isSecret = (text: string): boolean => text.length >= 8 && !/^[a-z_.-]+$/i.test(text) && !isUlid(text)

/** Collects what a listener hands out and is given: keys, tokens, codes, passwords, cookies, and sensitive values. */
export function collectSecrets(database: TestDatabase, app: FastifyInstance, known: readonly string[]): void {
  const collected = collectedOf.get(database) ?? { secrets: new Set(), shown: new Set() }
  collectedOf.set(database, collected)
  const { secrets, shown } = collected
  for (const secret of known) secrets.add(secret)
  const sensitive = new Set<string>()
  const add = (text: unknown) => {
    if (typeof text === 'string' && isSecret(text)) secrets.add(text)
  }
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const isSensitive = 'sensitive' in value && value.sensitive === true && 'name' in value
    if (isSensitive) sensitive.add(String(value.name))
    for (const [name, member] of Object.entries(value)) {
      if (given.test(name) || sensitive.has(name)) add(member)
      // Tests choose names, or parts of them, as passwords, which are not secret then.
      if (name === 'name') shown.add(String(member))
      collect(member)
    }
  }
  app.addHook('preHandler', (request, _reply, done) => {
    const { authorization, cookie } = request.headers
    for (const text of [authorization?.split(' ')[1], request.headers['x-tenant-key'], cookie?.split('=')[1]]) add(text)
    done()
  })
  // A value that is refused is not a secret of anyone: a password may not be the name of the tenant.
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.statusCode !== 400 && Buffer.isBuffer(request.body)) collect(parsed(request.body))
    done()
  })
  app.server.prependListener('request', (_request: IncomingMessage, answer: ServerResponse) => {
    const { write, end } = answer
    const read = (chunk: unknown) => {
      if (typeof chunk !== 'string' && !Buffer.isBuffer(chunk)) return
      for (const [, secret, code] of String(chunk).matchAll(answered)) secrets.add(secret ?? code!)
      for (const [, id] of String(chunk).matchAll(issued)) secrets.add(id!)
    }
    answer.write = ((...args: unknown[]) => {
      read(args[0])
      return Reflect.apply(write, answer, args)
    }) as typeof write
    answer.end = ((...args: unknown[]) => {
      read(args[0])
      const cookie = String(answer.getHeader('set-cookie') ?? '')
      add(/=([^;]+)/.exec(cookie)?.[1])
      return Reflect.apply(end, answer, args)
    }) as typeof end
  })
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return null
  }
}

/**
 * Throws when an event of the database or a line of the log contains a secret that was collected. One pass over all of
 * them for each secret takes a millisecond for those of most tests.
 */
export function requireNoSecretRecorded(database: TestDatabase, log: readonly string[]): void {
  const { secrets = [], shown = [] } = collectedOf.get(database) ?? {}
  const collected = { secrets: [...secrets, ...storedOtpIds(database)], shown: [...shown] }
  requireNone(collected, storedEvents(database), 'an event')
  requireNone(collected, log, 'a line of the log')
}

interface Searched {
  readonly secrets: readonly string[]
  readonly shown: readonly string[]
}

function requireNone({ secrets, shown }: Searched, rows: readonly string[], what: string): void {
  const text = rows.join('\n')
  for (const secret of secrets) {
    const spellings = [secret, JSON.stringify(secret).slice(1, -1)]
    if (!spellings.some((spelling) => text.includes(spelling))) continue
    const row = rows.find((row) => spellings.some((spelling) => names(row, spelling)))
    if (row === undefined || shown.some((name) => name.includes(secret))) continue
    throw new Error(`${what} contains the secret "${secret}": ${row.trim()}; leave it out where it is recorded`)
  }
}

/** The digits of a code are often part of a longer number, such as the time of a line. */
const names = (row: string, secret: string): boolean =>
  /^\d+$/.test(secret) ? new RegExp(`(?<!\\d)${secret}(?!\\d)`).test(row) : row.includes(secret)

/** What callers and handlers may put into events. */
function storedEvents(database: TestDatabase): string[] {
  const columns = 'type, actor_id, subject_id, public, personal'
  return textsOf(database, `SELECT ${columns} FROM event_queue UNION ALL SELECT ${columns} FROM events`)
}

/** The id of a one-time password is half of a proof, also where only a message contains it. */
const storedOtpIds = (database: TestDatabase): string[] => textsOf(database, 'SELECT id FROM otps')

/** The rows as texts. Empty when the database of the test is broken or of an earlier version. */
function textsOf(database: TestDatabase, sql: string): string[] {
  try {
    return database.ask(sql).map((row) => Object.values(row).join(' '))
  } catch {
    return []
  }
}
