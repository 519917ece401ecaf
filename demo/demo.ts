import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { createTenantryAdmin } from '../packages/client/src/admin.ts'
import { createTenantryClient, TenantryConnectionError, TenantryError } from '../packages/client/src/index.ts'
import { applyEnvFile } from '../server/settings/env-file.ts'
import { readKeptSecrets } from '../server/settings/kept-secrets.ts'
import {
  localAdminUrl,
  localSecretsPath,
  localUrl,
  refuseArguments,
  rootKeyInFile,
} from '../server/settings/local-server.ts'

/**
 * A walk-through against a running server, over HTTP with the client of this repository: reset a password, sign in, read
 * the configuration, fill in the profile. Exits with 1 on an unexpected response.
 */
const { env } = process
try {
  refuseArguments(process.argv.slice(2), 'PORT=4010 npm run demo')
  applyEnvFile(env, '.')
  const secretsPath = env['TENANTRY_SECRETS'] || localSecretsPath(env)
  const kept = readKeptSecrets(secretsPath)
  const baseUrl = env['TENANTRY_URL'] || localUrl(env)
  const adminUrl = env['ADMIN_PORT'] ? localAdminUrl(env) : baseUrl
  const adminKey = env['TENANTRY_ADMIN_KEY'] || (rootKeyInFile(env, '.') ?? kept.adminKey)
  const tenantId = env['TENANTRY_TENANT'] || kept.demo?.tenantId
  if (adminKey === 'off')
    throw new Error('the demo needs the root key; start the server without TENANTRY_ADMIN_KEY=off')
  if (adminKey === undefined || tenantId === undefined) {
    throw new Error(
      `${secretsPath} has no demo tenant; run "npm start" first, or set TENANTRY_SECRETS and DATABASE_URL as the server has them`,
    )
  }
  await walkThrough({ baseUrl, adminUrl, adminKey, tenantId })
  console.log('\nDemo finished: every response was as expected.')
} catch (error) {
  // The client's `baseUrl` is a setting here.
  const message = (error as Error).message.replaceAll('baseUrl', 'TENANTRY_URL')
  console.error(`\nDemo failed: ${error instanceof TenantryError ? `${error.code}: ` : ''}${message}`)
  if (error instanceof TenantryConnectionError) {
    console.error('Start the server with "npm start", and give the demo the same PORT, or its URL in TENANTRY_URL.')
  }
  process.exit(1)
}

interface Server {
  readonly baseUrl: string
  readonly adminUrl: string
  readonly adminKey: string
  readonly tenantId: string
}

async function walkThrough({ baseUrl, adminUrl, adminKey, tenantId }: Server): Promise<void> {
  const admin = createTenantryAdmin({ baseUrl: adminUrl, adminKey })
  const email = `ada.${randomBytes(4).toString('hex')}@example.com`
  await admin.createUser({ tenantId }, { email, password: 'forgotten long ago' })
  // A secret key can send the address of the user, so that repeated demos do not use up the limit of one address.
  const { id: keyId, key } = await admin.createTenantKey({ tenantId }, { name: 'npm run demo', kind: 'secret' })
  const clientIp = `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`
  const app = createTenantryClient({ baseUrl, tenantKey: key, clientIp })

  const challenge = await step('Request a code to reset the password', () =>
    app.resetPassword({ step: 'challenge', email }),
  )
  expect('id' in challenge, 'the challenge returns the id of the one-time password')
  const { id } = challenge

  const code = await step('Read the code in the testing channel', () => readCode(admin, tenantId, id))
  await step('Confirm before verifying: rejected', () =>
    refusal('OTP_NOT_CONSUMABLE', app.resetPassword({ step: 'confirm', token: id, password: 'a new one, longer' })),
  )
  await step('Verify the code', () => app.verifyOtp({ id, scope: 'reset_password', code }))
  await step('Confirm the reset with a new password', () =>
    app.resetPassword({ step: 'confirm', token: id, password: 'a new one, longer' }),
  )
  await step('Sign in with the old password: rejected', () =>
    refusal('INVALID_CREDENTIALS', app.signIn({ method: 'password', email, password: 'forgotten long ago' })),
  )
  const session = await app.signIn({ method: 'password', email, password: 'a new one, longer' })
  await step('Sign in with the new password', async () => session.user)

  const configuration = await app.getTenantConfiguration()
  const version = configuration.profileSchema?.version
  expect(version !== undefined, 'the configuration contains the profile schema')
  await step('Read the configuration', async () => ({
    ...configuration,
    profileSchema: { version, components: `(${configuration.profileSchema?.components.length})` },
  }))
  const short = await step(`Read it again with schemaVersion ${version}`, () =>
    app.getTenantConfiguration({ schemaVersion: version }),
  )
  expect(short.profileSchema === undefined, 'the schema is omitted for the current version')

  const user = createTenantryClient({ baseUrl, tenantKey: key, clientIp, accessToken: session.accessToken })
  await step('Update the profile with invalid values: rejected for each field', () =>
    refusal('VALIDATION_ERROR', user.updateProfile({ firstName: '', tags: 'one' })),
  )
  const profile = await step('Fill in the profile', () =>
    user.updateProfile({ firstName: 'Ada', birthDate: '1990-12-10', tags: ['maths'] }),
  )
  expect(isDeepStrictEqual(await user.getProfile(), profile), 'the profile is stored as written')
  await admin.revokeTenantKey({ tenantId, keyId })
}

async function step<T>(title: string, act: () => Promise<T>): Promise<T> {
  const answer = await act()
  console.log(`\n${title}\n  ${JSON.stringify(answer)}`)
  return answer
}

async function refusal(code: string, call: Promise<unknown>) {
  const error = await call.then(
    () => null,
    (error: unknown) => error,
  )
  expect(error instanceof TenantryError && error.code === code, `the response is ${code}`)
  const { status, validation } = error as TenantryError
  return { refused: code, status, validation }
}

async function readCode(
  admin: ReturnType<typeof createTenantryAdmin>,
  tenantId: string,
  otpId: string,
): Promise<string> {
  for (let tries = 0; tries < 50; tries++) {
    const { messages } = await admin.listTestingChannelMessages({ tenantId, otpId })
    const code = messages[0]?.code
    if (code) return code
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('no code arrived in the testing channel')
}

function expect(condition: boolean, promise: string): asserts condition {
  if (!condition) throw new Error(`expected that ${promise}`)
}
