import { z } from 'zod'
import { operation } from '../operation.ts'

const senders = z.array(z.string()).describe('Their names, in order of preference.')

/** What is worth a look before it becomes a problem. */
const Warning = z.strictObject({
  code: z.enum(['SETTINGS', 'NEW_DATABASE', 'READABLE_ENV_FILE', 'SENDERS']),
  message: z.string(),
})
export type DeploymentWarning = z.infer<typeof Warning>

export const getDeployment = operation({
  method: 'GET',
  path: '/admin/deployment',
  summary: 'Read how the deployment runs',
  description:
    'Version and settings of the process that answers, without secrets. Every operator may read it; only one with `system:read` for all tenants gets the warnings.',
  auth: 'admin',
  scope: 'any',
  reach: 'own',
  status: 200,
  output: z.strictObject({
    version: z.string(),
    environment: z.enum(['development', 'staging', 'production']),
    publicUrl: z.string(),
    engine: z.enum(['sqlite', 'postgres']),
    testingChannel: z.boolean().describe('Whether messages go to the testing channel instead of people.'),
    senders: z
      .strictObject({ email: senders, sms: senders })
      .describe('Of the deployment, used by tenants without own ones.'),
    limits: z.record(z.string(), z.string()).describe('By name: `30/h`, `10%` or `off`.'),
    retentionDays: z.int(),
    warnings: z.array(Warning).describe('What this process warned of at startup.'),
  }),
  errors: [],
})
