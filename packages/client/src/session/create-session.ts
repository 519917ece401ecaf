import { call, readArguments } from '../call.ts'
import type { CallOptions } from '../call-options.ts'
import { clientWith, optionsOf, type TenantryClient } from '../client.ts'
import { TenantryError } from '../errors.ts'
import type { Done, SessionAnswer } from '../generated/types.ts'
import type { InputOf } from '../methods.ts'
import { CurrentSession, codeOf, nullIfEnded } from './current-session.ts'
import { placeOf } from './place-of.ts'
import type { Session, SessionOptions } from './session.ts'
import { createSessionStore, defaultStorage } from './session-store.ts'
import { createUserCalls } from './user-calls.ts'

/** Leaves time to repeat a refresh while the service answers the same refresh token again, which is ten seconds. */
const firstRefreshMs = 5_000

/**
 * The session of the signed-in user: stores the tokens, refreshes them, and keeps the tabs of a browser alike.
 *
 * @throws {TypeError} `client` was not created by `createTenantryClient`
 */
export function createSession(client: TenantryClient, sessionOptions: SessionOptions = {}): Session {
  const options = optionsOf(client)
  if (options === undefined) throw new TypeError('client must be created by createTenantryClient')
  // The part of a tenant key that is not secret.
  const tenant = `tenantry.${options.tenantKey?.slice(0, 33)}`
  const { storage, key = tenant, onStepUp } = sessionOptions
  // biome-ignore lint/suspicious/noConsole: the default of onStorageError
  const report = sessionOptions.onStorageError ?? ((error) => console.warn(error))
  const find = storage ? () => storage : defaultStorage
  const store = createSessionStore(find, key, report)
  const session = new CurrentSession({ store, storage: storage ?? store, key, refresh })

  /** Repeated once, at once, if the response was lost: the service then answers the same. */
  async function refresh(refreshToken: string): Promise<SessionAnswer> {
    try {
      return await client.refreshSession({ refreshToken }, { signal: AbortSignal.timeout(firstRefreshMs) })
    } catch (error) {
      if (error instanceof TenantryError) throw error
      return client.refreshSession({ refreshToken })
    }
  }

  /** Signs out here first, so that neither a slow service nor a closed tab leaves the tokens behind. */
  async function leave(scope: 'this' | 'all', callOptions: CallOptions): Promise<Done> {
    const left = await session.sync()
    await session.end('signedOut')
    if (left === null) return { success: true }
    const send = ({ accessToken }: { accessToken: string }) =>
      client.signOut({ scope }, { ...callOptions, accessToken })
    await send(left)
      .catch((error) => {
        if (codeOf(error) !== 'INVALID_USER_TOKEN') throw error
        return refresh(left.refreshToken).then(send)
      })
      // The session to end has ended before.
      .catch((error) => (scope === 'all' ? Promise.reject(error) : nullIfEnded(error)))
    return { success: true }
  }

  const callUser = createUserCalls(options, session, {
    ask: onStepUp,
    exchange: (proof) => sessionClient.stepUp(proof),
  })
  const sessionClient = clientWith(options, (route, args, name) => {
    const { given, options: callOptions } = readArguments(route, args)
    if (!route.auth.startsWith('tenant') || callOptions.accessToken !== undefined) return call(options, route, args)
    const scope = name === 'signOut' ? ((given.input as InputOf<'signOut'>)?.scope ?? 'this') : 'others'
    if (scope !== 'others') return leave(scope, callOptions)
    return callUser(route, args, name)
  })

  const created: Session = {
    client: sessionClient,
    get state() {
      return session.state
    },
    ready: () => session.isRead.then(() => session.state),
    onChange: (listener) => session.onChange(listener),
    accessToken: async () => (await session.usable())?.accessToken ?? null,
    signOut: async (scope = 'this') => void (await sessionClient.signOut({ scope })),
    close: () => session.close(),
  }
  placeOf.set(created, { find, key: tenant })
  return created
}
