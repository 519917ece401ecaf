import type { SessionAnswer } from '../../contract/accounts/sign-in.ts'
import { AuthMethod } from '../../contract/tenants/tenant-configuration.ts'
import { type EventRecorder, recordEvents } from '../support/events/event-recorder.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { startTestService, type TestService, type TestServiceOptions, type TestTenant } from '../support/service.ts'
import { enteredCode, sessionIdOf } from '../support/sign-in-methods.ts'

export const password = 'correct horse'

/** A service with tenants whose events a test reads. */
export interface RecordedService extends AsyncDisposable {
  readonly service: TestService
  readonly google: IdentityProvider
  /** A tenant that enables every method. */
  open(events?: Record<string, unknown>): Promise<RecordedTenant>
}

interface RecordedTenant {
  readonly tenant: TestTenant
  readonly client: TestTenant['client']
  readonly events: EventRecorder
  /** Names the user and the session of an answer. */
  known(answer: SessionAnswer, user: string, session: string): SessionAnswer
  /** Signs up `jane` with the session `s0`. */
  signUp(email: string): Promise<SessionAnswer>
  /** Signs `jane` up by a code, so that the address is proven, with the session `s0`. */
  prove(to: { readonly email: string } | { readonly phone: string }): Promise<SessionAnswer>
}

export async function startRecordedService(options: TestServiceOptions = {}): Promise<RecordedService> {
  const google = await startIdentityProvider('google')
  const service = await startTestService({ identityProviders: google.settings, ...options })

  async function open(events: Record<string, unknown> = {}): Promise<RecordedTenant> {
    const auth = { methods: AuthMethod.options, google: { clientIds: [google.clientId] } }
    const tenant = await service.addTenant({ configuration: { auth, events } })
    const { client } = tenant
    const recorder = recordEvents(service, tenant)
    const known = (answer: SessionAnswer, user: string, session: string) => {
      recorder.name(answer.user.id, user)
      recorder.name(sessionIdOf(answer), session)
      return answer
    }
    const asJane = (answer: SessionAnswer) => {
      recorder.next()
      return known(answer, 'jane', 's0')
    }
    return {
      ...{ tenant, client, events: recorder, known },
      signUp: async (email) => asJane(await client.signUp({ method: 'password', email, password })),
      prove: async (to) =>
        asJane(await client.signIn({ method: 'otp', token: await enteredCode(service, tenant, to) })),
    }
  }

  return {
    ...{ service, google, open },
    async [Symbol.asyncDispose]() {
      await service.close()
      await google.close()
    },
  }
}
