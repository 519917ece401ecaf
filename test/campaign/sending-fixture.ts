import type { Provider } from '../../server/delivery/provider.ts'
import { createSmtpProvider } from '../../server/delivery/providers/kinds/smtp.ts'
import type { SmtpPeer } from '../support/peers/smtp-peer.ts'
import { startTestService, type TestService, type TestServiceOptions } from '../support/service.ts'
import { storedMessages } from '../support/stored-rows.ts'
import type { StoredRow } from '../support/test-database.ts'

// Beside `test/support/sending.ts`, which registers hooks of the test runner and would make a campaign print its report.

/** The deployment's mail server. */
export const smtpTo = ({ port }: Pick<SmtpPeer, 'port'>): Provider =>
  createSmtpProvider({
    ...{ name: 'smtp', host: '127.0.0.1', port, tls: 'off', credentials: null },
    ...{ from: { address: 'accounts@example.com', name: null }, allowPrivate: true },
  })

/** A service that sends, as in production. */
export const startSender = (
  deploymentProviders: readonly Provider[],
  options: TestServiceOptions = {},
): Promise<TestService> =>
  startTestService({ environment: 'production', allowPrivateDestinations: true, deploymentProviders, ...options })

/** Delivers messages until none is due. */
export const drained = (service: TestService): Promise<void> => service.service.services.delivery.drain()

/** The latest message of an OTP. */
export const latestMessage = (service: TestService, otpId: string): StoredRow => storedMessages(service, otpId).at(-1)!
