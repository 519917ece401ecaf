import type { Registry } from 'prom-client'
import { DeliveryMethod } from '../../contract/accounts/otp.ts'
import { version } from '../core/version.ts'
import type { MessageTransport } from '../delivery/message-transport.ts'
import type { ManagedRateLimiter } from '../limits/rate-limiter.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import type { Storage } from '../storage/storage.ts'
import { Counter, Gauge } from './prometheus.ts'

/** What is read with every scrape. */
export interface Watched {
  readonly storage: Storage
  readonly hasher: PasswordHasher
  readonly transport: MessageTransport
  readonly limiter: ManagedRateLimiter
}

/** Registers gauges that read the state of the service at each scrape. */
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
    help: 'Always 1; the labels are the version and the database engine.',
    labelNames: ['version', 'engine'],
    registers,
  }).set({ version, engine: storage.usage.engine }, 1)

  gauge('tenantry_password_hash_active', 'Password hashes being computed.', () => hasher.working)
  gauge('tenantry_password_hash_queue', 'Password hashes that wait in the queue.', () => hasher.waiting)
  new Counter({
    name: 'tenantry_password_hash_total',
    help: 'Passwords hashed (hash) and compared (verify), including work for unknown accounts.',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset()
      this.inc({ kind: 'hash' }, hasher.hashes)
      this.inc({ kind: 'verify' }, hasher.verifies)
    },
  })

  if (limiter.isShared !== undefined) {
    const help = 'Whether limits are shared through Valkey: 1, or 0 while this process counts alone.'
    gauge('tenantry_limiter_shared', help, () => (limiter.isShared ? 1 : 0))
  }

  new Gauge({
    name: 'tenantry_senders_left_alone',
    help: 'Providers with an open circuit after repeated failures, over all tenants.',
    labelNames: ['method'],
    registers,
    collect() {
      for (const method of DeliveryMethod.options) this.set({ method }, transport.openCircuits?.(method) ?? 0)
    },
  })
}
