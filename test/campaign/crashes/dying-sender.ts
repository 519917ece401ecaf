import { pino } from 'pino'
import { createClientAddress } from '../../../server/limits/client-address.ts'
import { parseLimits } from '../../../server/limits/limit-settings.ts'
import { createService } from '../../../server/startup/service.ts'
import { openStorageAt } from '../../support/databases/open-database.ts'
import { deploymentSmtp } from '../../support/delivery/sending-service.ts'
import { cheapHasher } from '../../support/service.ts'

/**
 * The service in a separate process that delivers the outbox as in production. With `dies`, it kills itself (SIGKILL)
 * after the provider accepts a message and before the outbox records it (threat G03). Its clock may run ahead of the machine's.
 */
const [databaseUrl = '', masterKeys = '', smtpPort = '', aheadMs = '0', behaviour = ''] = process.argv.slice(2)

const die = () => process.kill(process.pid, 'SIGKILL')
process.on('disconnect', () => process.exit())

await createService({
  environment: 'production',
  publicUrl: 'http://tenantry.test',
  adminKey: 'never used, as this process does not listen',
  masterKeys,
  limits: parseLimits('all=off'),
  clientAddress: createClientAddress(''),
  retentionDays: 7,
  hasher: cheapHasher(),
  clock: { now: () => Date.now() + Number(aheadMs) },
  logger: pino({ level: 'silent' }),
  deploymentProviders: [deploymentSmtp({ port: Number(smtpPort) })],
  storage: await openStorageAt(databaseUrl, {
    onStatement: (name) => void (behaviour === 'dies' && name === 'outbox.finish' && die()),
  }),
})
