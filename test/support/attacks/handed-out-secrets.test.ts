import assert from 'node:assert/strict'
import { test } from 'node:test'
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
