import { keepersAmong } from '../operators/operator.ts'
import type { Services } from '../services.ts'
import { rootKeyOff } from '../settings/kept-secrets.ts'

/** Why a deployment without a root key may not start; null when it may. */
export async function findRootKeyProblem({
  adminKey,
  storage,
}: Pick<Services, 'adminKey' | 'storage'>): Promise<string | null> {
  if (adminKey !== null || keepersAmong(await storage.system.operators.lasting()).length > 0) return null
  return (
    `TENANTRY_ADMIN_KEY: ${rootKeyOff}, but no operator could administer operators; start with a root key, create one ` +
    'with the scope operators:write, without an expiry and without tenants, then set it to off'
  )
}

/** Recommends `off` in production once it is possible: a key that no operator needs can only leak. */
export async function recommendRootKeyOff({
  adminKey,
  environment,
  storage,
  logger,
}: Pick<Services, 'adminKey' | 'environment' | 'storage' | 'logger'>): Promise<void> {
  if (adminKey === null || environment !== 'production') return
  const operators = keepersAmong(await storage.system.operators.lasting()).length
  if (operators === 0) return
  logger.info(
    { operators },
    'operators can administer this deployment; set TENANTRY_ADMIN_KEY=off to retire the root key',
  )
}
