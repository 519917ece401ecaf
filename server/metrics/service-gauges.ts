import { Counter, Gauge, type Registry } from 'prom-client'
import { DeliveryMethod } from '../../contract/otp.ts'
import { version } from '../core/version.ts'
import type { MessageTransport } from '../delivery/message-transport.ts'
import type { ManagedRateLimiter } from '../limits/rate-limiter.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import type { Storage } from '../storage/storage.ts'

/** What is looked at with every scrape. */
export interface Watched {
  readonly storage: Storage
  readonly hasher: PasswordHasher
  readonly transport: MessageTransport
  readonly limiter: ManagedRateLimiter
}

/** What the parts of the service know of themselves at the moment of a scrape. */
export function watchService(registry: Registry, { storage, hasher, transport, limiter }: Watched): void {
  const registers = [registry]

  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })

  new Gauge({
    name: 'tenantry_build_info',
    help: 'Always 1: which version runs, on which database.',
    labelNames: ['version', 'engine'],
    registers,
  }).set({ version, engine: storage.usage.engine }, 1)

  gauge('tenantry_password_hash_active', 'Passwords being hashed or compared now.', () => hasher.working)
  gauge('tenantry_password_hash_queue', 'Passwords that wait for their turn.', () => hasher.waiting)
  new Counter({
    name: 'tenantry_password_hash_total',
    help: 'Passwords hashed (hash) and compared (verify) so far, work for unknown accounts included.',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset()
      this.inc({ kind: 'hash' }, hasher.hashes)
      this.inc({ kind: 'verify' }, hasher.verifies)
    },
  })

  if (limiter.isShared !== undefined) {
    const help = 'Whether limits are shared through Valkey: 1, or 0 while this process counts by itself.'
    gauge('tenantry_limiter_shared', help, () => (limiter.isShared ? 1 : 0))
  }

  new Gauge({
    name: 'tenantry_senders_left_alone',
    help: 'Senders whose circuit is open after repeated failures, over all tenants.',
    labelNames: ['method'],
    registers,
    collect() {
      for (const method of DeliveryMethod.options) this.set({ method }, transport.openCircuits?.(method) ?? 0)
    },
  })
}
