import { hash, randomBytes, randomInt } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { open, openReferenceDatabase, seal } from './reference-database.ts'

/**
 * The floor: challenge, resend, configuration and profile PATCH written by hand on node:http and node:sqlite, with the
 * storage and the answers of the service and none of its checks. A write is one COMMIT, and its message is in the inbox
 * when it is answered. Usage: `reference-server.ts <port> <database> <FULL|NORMAL>`.
 */
const [port, path, synchronous] = process.argv.slice(2)
const database = openReferenceDatabase(path!, synchronous!)

const statements = {
  tenant: database.prepare('SELECT id FROM tenants WHERE key_hash = ?'),
  configuration: database.prepare('SELECT configuration FROM tenants WHERE id = ?'),
  userByEmail: database.prepare('SELECT id, email FROM users WHERE tenant_id = ? AND email = ?'),
  userOfSession: database.prepare(
    `SELECT users.id FROM sessions JOIN users ON users.tenant_id = sessions.tenant_id AND users.id = sessions.user_id
     WHERE sessions.tenant_id = ? AND sessions.id = ?`,
  ),
  addOtp: database.prepare(
    `INSERT INTO otps (tenant_id, id, scope, state, user_id, recipient, sealed_code, max_resends, resend_count,
       created_at, expires_at, last_sent_at)
     VALUES (?, ?, 'reset_password', 'pending', ?, ?, ?, 20, 0, ?, ?, ?)`,
  ),
  resend: database.prepare(
    `UPDATE otps SET resend_count = resend_count + 1, last_sent_at = ?
     WHERE tenant_id = ? AND id = ? AND scope = ? AND state = 'pending' AND resend_count < max_resends
     RETURNING recipient, sealed_code`,
  ),
  post: database.prepare(
    'INSERT INTO inbox (tenant_id, otp_id, scope, recipient, sealed, created_at) VALUES (?, ?, ?, ?, ?, ?)',
  ),
  inbox: database.prepare('SELECT otp_id, scope, recipient, sealed FROM inbox ORDER BY place DESC LIMIT 200'),
  profile: database.prepare('SELECT content FROM profiles WHERE tenant_id = ? AND user_id = ?'),
  saveProfile: database.prepare(
    `INSERT INTO profiles (tenant_id, user_id, content, updated_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (tenant_id, user_id) DO UPDATE SET content = excluded.content, updated_at = excluded.updated_at`,
  ),
  begin: database.prepare('BEGIN IMMEDIATE'),
  commit: database.prepare('COMMIT'),
  rollback: database.prepare('ROLLBACK'),
}

/** A response before it is written; `text` is JSON without an envelope. */
interface Answer {
  readonly status: number
  readonly text: string
}

type Body = Readonly<Record<string, string>>

const operations: Record<string, (tenantId: string, request: IncomingMessage, body: Body) => Answer> = {
  'POST /auth/reset-password': (tenantId, _request, { email = '' }) => challenge(tenantId, email),
  'POST /otp/resend': (tenantId, _request, { id = '', scope = '' }) => resend(tenantId, id, scope),
  'PATCH /account/profile': (tenantId, request, body) => updateProfile(tenantId, sessionOf(request), body),
  'GET /tenant-configuration': (tenantId) => {
    const row = statements.configuration.get(tenantId) as { configuration: string }
    return { status: 200, text: row.configuration }
  },
}

function challenge(tenantId: string, email: string): Answer {
  const now = Date.now()
  const user = statements.userByEmail.get(tenantId, email) as { id: string; email: string } | undefined
  if (user === undefined) return failure(404)
  const id = newId(now)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const expiresAt = now + 3_600_000
  transaction(() => {
    statements.addOtp.run(tenantId, id, user.id, user.email, seal(code, `code ${id}`), now, expiresAt, now)
    post(tenantId, id, 'reset_password', user.email, code, now)
  })
  const dates = { createdAt: new Date(now).toISOString(), expiresAt: new Date(expiresAt).toISOString() }
  return success(201, { id, ...dates, resendIntervalSeconds: 0 })
}

function resend(tenantId: string, id: string, scope: string): Answer {
  const now = Date.now()
  return transaction(() => {
    const row = statements.resend.get(now, tenantId, id, scope)
    if (row === undefined) return failure(404)
    const { recipient, sealed_code: sealedCode } = row as { recipient: string; sealed_code: string }
    post(tenantId, id, scope, recipient, open(sealedCode, `code ${id}`), now)
    return success(201, { success: true })
  })
}

function updateProfile(tenantId: string, sessionId: string, changes: Body): Answer {
  const now = Date.now()
  const user = statements.userOfSession.get(tenantId, sessionId) as { id: string } | undefined
  if (user === undefined) return failure(401)
  return transaction(() => {
    const row = statements.profile.get(tenantId, user.id) as { content: string } | undefined
    const profile = { ...JSON.parse(row?.content ?? '{}'), ...changes }
    statements.saveProfile.run(tenantId, user.id, JSON.stringify(profile), now)
    return success(200, { ...profile, updatedAt: new Date(now).toISOString() })
  })
}

function post(tenantId: string, otpId: string, scope: string, recipient: string, code: string, now: number): void {
  const text = `Your code is ${code}. If you didn't request this code, you can safely ignore this email.`
  const sealed = seal(JSON.stringify({ code, text }), `message ${otpId}`)
  statements.post.run(tenantId, otpId, scope, recipient, sealed, now)
}

/** The testing channel: the latest messages, oldest first. */
function listMessages(): Answer {
  const rows = statements.inbox.all() as { otp_id: string; scope: string; recipient: string; sealed: string }[]
  const messages = rows.toReversed().map(({ otp_id: otpId, scope, recipient, sealed }) => {
    const { code, text } = JSON.parse(open(sealed, `message ${otpId}`)) as { code: string; text: string }
    return { otpId, scope, recipient, code, text }
  })
  return success(200, { messages })
}

function transaction<T>(act: () => T): T {
  statements.begin.run()
  try {
    const result = act()
    statements.commit.run()
    return result
  } catch (error) {
    if (database.isTransaction) statements.rollback.run()
    throw error
  }
}

/** The session that an access token names. Its signature is not verified, which would be a check. */
function sessionOf({ headers }: IncomingMessage): string {
  const [, payload = ''] = (headers.authorization ?? '').split('.')
  return payload === '' ? '' : JSON.parse(Buffer.from(payload, 'base64url').toString()).sid
}

/** Increases with time, so that new rows are appended as in the service. */
const newId = (now: number): string => `${now.toString(36)}${randomBytes(10).toString('hex')}`

const success = (status: number, data: unknown): Answer => ({
  status,
  text: JSON.stringify({ meta: { requestId: newId(Date.now()), timestamp: new Date().toISOString() }, data }),
})
const failure = (status: number): Answer => ({ status, text: '{}' })

function answer(request: IncomingMessage, payload: string): Answer {
  const operation = `${request.method} ${request.url}`
  if (operation === 'GET /healthz') return success(200, {})
  if (operation === 'GET /admin/testing-channel/messages') return listMessages()
  const serve = operations[operation]
  if (serve === undefined) return failure(404)
  const tenant = statements.tenant.get(hash('sha256', String(request.headers['x-tenant-key']), 'hex'))
  if (tenant === undefined) return failure(401)
  return serve((tenant as { id: string }).id, request, payload === '' ? {} : JSON.parse(payload))
}

function handle(request: IncomingMessage, response: ServerResponse): void {
  let payload = ''
  request.setEncoding('utf8')
  request.on('data', (chunk) => {
    payload += chunk
  })
  request.on('end', () => {
    const { status, text } = answer(request, payload)
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
    response.writeHead(status, headers).end(text)
  })
}

createServer(handle).listen(Number(port), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
