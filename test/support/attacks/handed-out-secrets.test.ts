import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refused } from '../refused.ts'
import { startTestService } from '../service.ts'

for (const [line, isLeak] of [
  [(code: string) => `{"level":30,"time":17${code}84,"msg":"request completed"}`, false],
  [(code: string) => `{"level":30,"time":1795495816084,"msg":"sent ${code}."}`, true],
] as const)
  test(`${isLeak ? 'reports a code in the log' : 'ignores a code whose digits are part of a number'}`, async () => {
    const service = await startTestService()
    const { client, tenantId } = await service.addTenant()
    await client.issueOtp({ scope: 'otp_signin', email: 'ada@example.com' })
    await service.service.services.delivery.drain()
    const { messages } = await service.admin.listTestingChannelMessages({ tenantId })
    service.log.push(line(messages[0]!.code!))
    const closing = service.close()
    if (isLeak) await assert.rejects(closing, /a line of the log contains the secret/)
    else await closing
  })

for (const name of ['a long pass phrase 7', 'of another tenant'])
  test(`${name.includes('phrase') ? 'ignores a password that is part of a name' : 'reports a password in the log'}`, async () => {
    const service = await startTestService()
    const { client } = await service.addTenant()
    await service.admin.createTenant({ name })
    const guess = { method: 'password', email: 'ada@example.com', password: 'pass phrase 7' } as const
    await refused(client.signIn(guess), 'INVALID_CREDENTIALS')
    service.log.push('{"level":30,"msg":"a long pass phrase 7"}')
    const closing = service.close()
    if (name.includes('phrase')) await closing
    else await assert.rejects(closing, /a line of the log contains the secret/)
  })
