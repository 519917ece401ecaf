import type { Provider } from '../../../server/delivery/provider.ts'
import { createSmtpProvider, type SmtpProviderOptions } from '../../../server/delivery/providers/kinds/smtp.ts'
import { storedMessages } from '../databases/stored-rows.ts'
import type { StoredRow } from '../databases/test-database.ts'
import type { SmtpPeer } from '../peers/smtp-peer.ts'
import { startTestService, type TestService, type TestServiceOptions } from '../service.ts'

/** The sender address of the deployment's e-mail. */
export const deploymentFrom = { address: 'accounts@example.com', name: 'Example Accounts' }

/** The deployment's mail server, configured as with `SMTP_URL` and `?tls=off`. */
export const deploymentSmtp = (
  { port }: Pick<SmtpPeer, 'port'>,
  changes: Partial<SmtpProviderOptions> = {},
): Provider =>
  createSmtpProvider({
    ...{ name: 'smtp', host: '127.0.0.1', port, tls: 'off', credentials: null, from: deploymentFrom },
    ...{ allowPrivate: true, ...changes },
  })

/** The service in production, with tenants' senders allowed on the loopback. */
export const startSendingService = (
  deploymentProviders: readonly Provider[],
  options: TestServiceOptions = {},
): Promise<TestService> =>
  startTestService({ environment: 'production', allowPrivateDestinations: true, deploymentProviders, ...options })

/** Delivers everything that is due. */
export const drain = (service: TestService): Promise<void> => service.service.services.delivery.drain()

/** Delivers everything that is due, and what failed in its retry. */
export async function drainTwice(service: TestService): Promise<void> {
  await drain(service)
  service.clock.advance(2_000)
  await drain(service)
}

/** The only or latest message of an OTP. */
export const messageOf = (service: TestService, otpId: string): StoredRow => storedMessages(service, otpId).at(-1)!
