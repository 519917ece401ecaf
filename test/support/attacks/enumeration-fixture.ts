import { Worker } from 'node:worker_threads'
import { codeContext, type StoredOtpScope } from '../../../server/otp/otp.ts'
import { createKeyring } from '../../../server/secrets/keyring.ts'
import { storedOtp } from '../databases/stored-rows.ts'
import { deploymentSmtp, startSendingService } from '../delivery/sending-service.ts'
import { freePort } from '../free-port.ts'
import type { TestService, TestServiceOptions, TestTenant } from '../service.ts'
import type { MailBehaviour } from './mail-server-thread.ts'

/** The behaviours of a mail server that an attacker may find behind a service. */
export const mailServers = ['fast', 'slow', 'down', 'bouncing'] as const
export type MailServer = (typeof mailServers)[number]

/** A service in production with enumeration protection, and addresses to distinguish. */
export interface EnumerationFixture extends AsyncDisposable {
  readonly service: TestService
  readonly tenant: TestTenant
  /** Addresses of users with a password. Their masks and lengths are those of `decoys`. */
  readonly real: readonly string[]
  /** Addresses of no user. */
  readonly decoys: readonly string[]
  /** Called before each timed request; a negative control adds a difference here. */
  readonly onTimed?: (side: 'real' | 'decoy') => void
  /** The code of a pending OTP, delivered or not: opened with the master keys. */
  codeOf(id: string, scope: StoredOtpScope): string
}

const behaviours: Record<Exclude<MailServer, 'down'>, MailBehaviour> = {
  fast: {},
  slow: { delayMs: 3 },
  bouncing: { refuse: { at: 'rcpt', code: 550 } },
}

interface FixtureOptions extends TestServiceOptions {
  readonly people?: number
  readonly otp?: Record<string, number>
  /** The tenant's module `events`. */
  readonly events?: Record<string, string>
}

/** @param options of the service; `otp` and `events` are settings of the tenant */
export async function openEnumerationFixture(
  mail: MailServer,
  { people = 1, otp = {}, events = {}, ...options }: FixtureOptions = {},
): Promise<EnumerationFixture> {
  const { port, stop } = await startMailServer(mail)
  const service = await startSendingService([deploymentSmtp({ port })], options)
  const configuration = { security: { enumerationProtection: true }, otp, events }
  const tenant = await service.addTenant({ configuration })
  const numbered = (word: string) =>
    Array.from({ length: people }, (_, at) => `p-${word}-${String(at).padStart(4, '0')}@example.com`)
  const [real, decoys] = [numbered('real'), numbered('none')]
  for (const email of real) {
    await service.admin.createUser({ tenantId: tenant.tenantId }, { email, password: 'correct horse' })
  }
  const keyring = createKeyring(service.masterKeys)
  return {
    ...{ service, tenant, real, decoys },
    codeOf(id, scope) {
      const { sealed_code, recipient } = storedOtp(service, id)
      return keyring.open(String(sealed_code), codeContext(tenant.tenantId, id, scope, String(recipient)))
    },
    async [Symbol.asyncDispose]() {
      await service.close()
      await stop()
    },
  }
}

/** On a thread, so that its work is not measured as the service's. */
async function startMailServer(mail: MailServer): Promise<{ port: number; stop(): Promise<unknown> }> {
  if (mail === 'down') return { port: await freePort(), stop: async () => {} }
  const worker = new Worker(new URL('mail-server-thread.ts', import.meta.url), { workerData: behaviours[mail] })
  const port = await new Promise<number>((resolve, reject) => worker.once('message', resolve).once('error', reject))
  return { port, stop: () => worker.terminate() }
}
