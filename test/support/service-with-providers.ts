import { type IdentityProvider, startIdentityProvider } from './identity-provider.ts'
import { startTestService, type TestService, type TestTenant } from './service.ts'
import { addOpenTenant } from './sign-in-methods.ts'

/** A service that trusts Google, which follows its clock. */
export async function startServiceWithGoogle(): Promise<Pick<ServiceWithProviders, 'service' | 'google'>> {
  const google = await startIdentityProvider('google')
  const service = await startTestService({ identityProviders: google.settings })
  google.clock = service.clock
  return { service, google }
}

/** A service that trusts three identity providers, and a tenant that enables every sign-in method. */
export interface ServiceWithProviders {
  readonly service: TestService
  readonly tenant: TestTenant
  readonly google: IdentityProvider
  readonly apple: IdentityProvider
  readonly facebook: IdentityProvider
  close(): Promise<unknown>
}

/** The providers follow the clock of the service. */
export async function startServiceWithProviders(): Promise<ServiceWithProviders> {
  const [google, apple, facebook] = await Promise.all([
    startIdentityProvider('google'),
    startIdentityProvider('apple'),
    startIdentityProvider('facebook'),
  ])
  const service = await startTestService({
    identityProviders: { ...google.settings, ...apple.settings, ...facebook.settings },
  })
  const providers = { google, apple, facebook }
  for (const provider of Object.values(providers)) provider.clock = service.clock
  const tenant = await addOpenTenant(service, providers)
  const close = () => Promise.all([service, google, apple, facebook].map((peer) => peer.close()))
  return { service, tenant, ...providers, close }
}
