import type { Registry } from 'prom-client'
import type { OtpScope } from '../../contract/accounts/otp.ts'
import type { Outcome } from '../http/answer-meter.ts'
import { Counter } from './prometheus.ts'

/** A step in the life cycle of a one-time password. */
export interface OtpStep {
  readonly step: string
  readonly scope: OtpScope | 'address_recovery'
}

/** Counts one request that uses a one-time password. */
export type CountOtp = (step: OtpStep, outcome: Outcome) => void

/** The counter of what becomes of one-time passwords. */
export function countOtps(registry: Registry): CountOtp {
  const counter = new Counter({
    name: 'tenantry_otp_total',
    help: 'Requests that use one-time passwords, by step, scope and outcome: OK or the error code.',
    labelNames: ['operation', 'scope', 'outcome'],
    registers: [registry],
  })
  return ({ step, scope }, outcome) => counter.inc({ operation: step, scope, outcome })
}
