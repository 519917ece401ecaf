import type { Registry } from 'prom-client'
import type { Storage } from '../storage/storage.ts'
import { Counter, Gauge } from './prometheus.ts'

/** Registers metrics of this process's use of the database. */
export function watchDatabase(registry: Registry, storage: Storage): void {
  const registers = [registry]
  new Gauge({
    name: 'tenantry_database_waiting',
    help: 'Operations that wait for the database: for a connection (PostgreSQL) or for the writer (SQLite).',
    registers,
    collect() {
      this.set(storage.usage.waiting)
    },
  })
  if (storage.usage.engine === 'sqlite') watchWrites(registers, storage)
  else watchConnections(registers, storage)
}

function watchWrites(registers: Registry[], storage: Storage): void {
  const counter = (name: string, help: string, what: 'writes' | 'commits') =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        const { usage } = storage
        this.reset()
        if (usage.engine === 'sqlite') this.inc(usage[what])
      },
    })
  counter('tenantry_database_writes_total', 'Writes committed so far.', 'writes')
  counter('tenantry_database_commits_total', 'COMMITs that those writes shared.', 'commits')
}

function watchConnections(registers: Registry[], storage: Storage): void {
  new Gauge({
    name: 'tenantry_database_connections',
    help: 'Open connections to the database, by state: used or idle.',
    labelNames: ['state'],
    registers,
    collect() {
      const { usage } = storage
      if (usage.engine !== 'postgres') return
      this.set({ state: 'used' }, usage.used)
      this.set({ state: 'idle' }, usage.idle)
    },
  })
}
