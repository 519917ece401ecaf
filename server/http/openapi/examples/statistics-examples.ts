import type { Operations } from '../../../../contract/operations.ts'
import { ids } from './demo-tenant.ts'
import type { ExamplesOf } from './example.ts'

const totals = { users: 2, guests: 0, suspended: 0, openSessions: 3 }
const days = [
  { day: '2026-01-30', signUps: 0, signIns: 0, codes: 0, resets: 0, messagesSent: 0, messagesFailed: 0 },
  { day: '2026-01-31', signUps: 2, signIns: 3, codes: 4, resets: 1, messagesSent: 5, messagesFailed: 0 },
]
const warning = `Tenant "Demo" (${ids.tenant}) has sign-in by one-time password, but nothing sends SMS: phone numbers are refused`

type Names = 'getDeployment' | 'getStatistics' | 'getTenantStatistics'

/** Examples of what the console's overview shows. */
export const statisticsExamples: { readonly [Name in Names]: ExamplesOf<Operations[Name]> } = {
  getDeployment: {
    answers: {
      production: {
        version: '0.1.0',
        environment: 'production',
        publicUrl: 'https://accounts.example.com',
        engine: 'postgres',
        testingChannel: false,
        senders: { email: ['smtp'], sms: [] },
        limits: { resend: '30/h', 'console-sign-in': '10/15m', 'sms-prefix-verified': '10%', status: 'off' },
        retentionDays: 7,
        warnings: [{ code: 'SENDERS', message: warning }],
      },
    },
  },
  getStatistics: { answers: { twoDays: { totals: { tenants: 1, ...totals }, days } } },
  getTenantStatistics: { answers: { twoDays: { totals, days } } },
}
