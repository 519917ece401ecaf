import { pino } from 'pino'
import { createSmtpProvider } from '../../server/delivery/providers/kinds/smtp.ts'
import { createClientAddress } from '../../server/limits/client-address.ts'
import { parseLimits } from '../../server/limits/limit-settings.ts'
import { createService } from '../../server/startup/service.ts'
import { cheapHasher } from '../support/service.ts'
import { openStorageAt } from '../support/test-database.ts'

/**
 * The service in a process of its own that sends what is in the outbox, as in production. Told to, it kills itself
 * (SIGKILL) between the provider's yes and its record (threat G03). Its clock may be ahead of the machine's.
 */
const [databaseUrl = '', masterKeys = '', smtpPort = '', aheadMs = '0', fate = ''] = process.argv.slice(2)

const die = () => process.kill(process.pid, 'SIGKILL')
process.on('disconnect', () => process.exit())

await createService({
  environment: 'production',
  publicUrl: 'http://tenantry.test',
  adminKey: 'nobody listens to this one, so nobody asks',
  masterKeys,
  limits: parseLimits('all=off'),
  clientAddress: createClientAddress(''),
  retentionDays: 7,
  hasher: cheapHasher(),
  clock: { now: () => Date.now() + Number(aheadMs) },
  logger: pino({ level: 'silent' }),
  deploymentProviders: [
    createSmtpProvider({
      ...{ name: 'smtp', host: '127.0.0.1', port: Number(smtpPort), tls: 'off', credentials: null },
      ...{ from: { address: 'accounts@example.com', name: null }, allowPrivate: true },
    }),
  ],
  storage: await openStorageAt(databaseUrl, {
    onStatement: (name) => void (fate === 'dies' && name === 'outbox.finish' && die()),
  }),
})
