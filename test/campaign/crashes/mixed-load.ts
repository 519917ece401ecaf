import { createTenantryAdmin } from '../../../packages/client/src/admin.ts'
import { createTenantryClient, TenantryConnectionError } from '../../../packages/client/src/index.ts'
import type { Random } from '../seeded-random.ts'
import { type AccountLog, type Act, after, newAccount } from './account-log.ts'

/** The target of the load. */
export interface LoadTarget {
  readonly baseUrl: string
  readonly tenantKey: string
  readonly adminKey: string
  /** Instead of the global `fetch`. */
  readonly fetch?: typeof fetch
  /**
   * Whether a client continues after this error. The account whose write was in progress, if any, is not used again,
   * because the outcome is unknown.
   */
  readonly survives?: (error: unknown, account: AccountLog | undefined) => boolean
}

/** Concurrent clients: each works on separate accounts, one request at a time. */
export interface MixedLoad {
  /** Every account that was started, with its known state. */
  readonly accounts: readonly AccountLog[]
  /** Passwords, tokens and codes seen: no file may contain one. */
  readonly secrets: Set<string>
  readonly acknowledged: number
  /** Runs a number of clients until the service is gone; resolves when the last one has noticed. */
  run(target: LoadTarget, clients: number, random: Random): Promise<void>
}

/** The prefix of every password, so that one search finds any. */
export const passwordMark = 'canary-password-'

export function createMixedLoad(): MixedLoad {
  const accounts: AccountLog[] = []
  const secrets = new Set<string>()
  let acknowledged = 0

  /** Requests a write: recorded as open until it is answered, then as done. */
  async function write<T>(log: AccountLog, act: Act, ask: () => Promise<T>, named?: (answer: T) => Act): Promise<T> {
    log.open = act
    const answer = await ask()
    log.account = after(log.account, named?.(answer) ?? act)
    log.open = null
    acknowledged++
    return answer
  }

  async function runClient(target: LoadTarget, random: Random): Promise<never> {
    const { baseUrl, tenantKey, adminKey, fetch = globalThis.fetch } = target
    const app = createTenantryClient({ baseUrl, tenantKey, fetch })
    const admin = createTenantryAdmin({ baseUrl, adminKey, fetch })
    let mine: AccountLog[] = []
    const password = () => `${passwordMark}${random.below(1e9)}`

    async function signUp(): Promise<void> {
      const email = `load-${accounts.length}-${random.below(1e9)}@example.com`
      const log: AccountLog = { email, account: newAccount(password()), open: null, accessToken: null, checked: null }
      accounts.push(log)
      mine.push(log)
      const body = { method: 'password', email, password: log.account.password, profile: { counter: 0 } } as const
      const { accessToken, refreshToken } = await write(log, { kind: 'sign-up' }, () => app.signUp(body))
      log.accessToken = accessToken
      secrets.add(accessToken).add(refreshToken)
    }

    async function update(log: AccountLog): Promise<void> {
      if (log.accessToken === null) {
        const { email, account } = log
        const body = { method: 'password', email, password: account.password } as const
        const { accessToken, refreshToken } = await write(log, { kind: 'sign-in' }, () => app.signIn(body))
        log.accessToken = accessToken
        secrets.add(accessToken).add(refreshToken)
      }
      const counter = log.account.counter + 1
      const user = app.withSession(log.accessToken)
      await write(log, { kind: 'update', counter }, () => user.updateProfile({ counter }))
    }

    async function challenge(log: AccountLog): Promise<void> {
      const ask = () => app.resetPassword({ step: 'challenge', email: log.email })
      await write(log, { kind: 'challenge', id: '' }, ask, ({ id }) => ({ kind: 'challenge', id }))
    }

    async function codeOf(otpId: string): Promise<string> {
      for (;;) {
        const { messages } = await admin.listTestingChannelMessages({ otpId })
        const codes = new Set(messages.map(({ code }) => code))
        if (codes.size > 1) throw new Error(`${otpId} was delivered with different codes`)
        const [code] = codes
        if (code) return code
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }

    /** Advances an OTP that is still usable by one step. */
    async function goOn(log: AccountLog): Promise<void> {
      const open = Object.entries(log.account.otps).filter(
        ([, { state }]) => state === 'pending' || state === 'verified',
      )
      if (open.length === 0) return challenge(log)
      const [id, { state, resends }] = random.pick(open)
      const scope = 'reset_password'
      if (state === 'pending' && resends < 20 && random.next() < 0.6) {
        await write(log, { kind: 'resend', id }, () => app.resendOtp({ id, scope }))
      } else if (state === 'pending') {
        const code = await codeOf(id)
        secrets.add(code)
        await write(log, { kind: 'verify', id }, () => app.verifyOtp({ id, scope, code }))
      } else {
        const act = { kind: 'confirm', id, password: password() } as const
        await write(log, act, () => app.resetPassword({ step: 'confirm', token: id, password: act.password }))
        log.accessToken = null
      }
    }

    function step(): Promise<void> {
      const chance = random.next()
      if (mine.length === 0 || chance < 0.03) return signUp()
      if (chance < 0.4) return update(random.pick(mine))
      return chance < 0.55 ? challenge(random.pick(mine)) : goOn(random.pick(mine))
    }

    for (;;) {
      try {
        await step()
      } catch (error) {
        const account = mine.find(({ open }) => open !== null)
        if (!target.survives?.(error, account)) throw error
        mine = mine.filter((log) => log !== account)
      }
    }
  }

  return {
    accounts,
    secrets,
    get acknowledged() {
      return acknowledged
    },
    async run(target, clients, random) {
      const running = Array.from({ length: clients }, () => runClient(target, random).catch(ignoreTheEnd))
      await Promise.all(running)
    },
  }
}

function ignoreTheEnd(error: unknown): void {
  if (!(error instanceof TenantryConnectionError)) throw error
}
