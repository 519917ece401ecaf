import type { getDeployment as operation } from '../../contract/admin/deployment.ts'
import { isGranted } from '../../contract/scopes.ts'
import type { Handler } from '../core/handler.ts'
import { version } from '../core/version.ts'
import { writtenLimits } from '../limits/limit-settings.ts'

/** `GET /admin/deployment`: what every operator may know of it, and its warnings for those who can do something about them. */
export const getDeployment: Handler<typeof operation> = (_input, { operator }, services) => {
  const { environment, publicUrl, storage, limits, retentionDays, deploymentProviders, warnings } = services
  const namesOf = (method: 'email' | 'sms') =>
    deploymentProviders.filter((provider) => provider.method === method).map(({ name }) => name)
  const mayRepair = operator.tenantIds === null && isGranted(operator.scopes, 'system:read')
  return {
    version,
    environment,
    publicUrl,
    engine: storage.usage.engine,
    testingChannel: environment !== 'production',
    senders: { email: namesOf('email'), sms: namesOf('sms') },
    limits: writtenLimits(limits),
    retentionDays,
    warnings: mayRepair ? [...warnings] : [],
  }
}
