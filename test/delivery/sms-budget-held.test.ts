import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PermanentFailure } from '../../server/delivery/provider.ts'
import { storedRows } from '../support/databases/stored-rows.ts'
import { drainTwice, messageOf, startSendingService } from '../support/delivery/sending-service.ts'
import { until } from '../support/until.ts'

const budgetHeld = 'The rest of the SMS budget of the day is held by messages that are being sent'
const usedUp = 'The SMS budget of the day is used up'

for (const refuses of [true, false]) {
  test(`${refuses ? 'sends' : 'fails'} an SMS over the budget once the SMS before it are ${refuses ? 'refused' : 'accepted'}`, async () => {
    const answered = Promise.withResolvers<void>()
    const sent: string[] = []
    await using service = await startSendingService([
      {
        name: 'gateway',
        method: 'sms',
        async send({ recipient }) {
          sent.push(recipient)
          if (sent.length > 2) return
          await answered.promise
          if (refuses) throw new PermanentFailure('refused')
        },
        async close() {},
      },
    ])
    const { client } = await service.addTenant({ configuration: { delivery: { smsDailyBudget: 2 } } })
    const issue = async (phone: string) => (await client.issueOtp({ scope: 'otp_signin', phone })).id
    await issue('+33612345601')
    await issue('+33612345602')
    await until(() => sent.length === 2)
    const last = await issue('+33612345603')
    const attempted = () => {
      const { state, last_error } = messageOf(service, last)
      return [state, last_error]
    }
    await until(() => attempted()[1] !== null)
    const first = attempted()
    answered.resolve()
    assert.deepEqual(first, ['queued', budgetHeld])

    await drainTwice(service)
    assert.deepEqual(attempted(), refuses ? ['sent', null] : ['failed', usedUp])
    const spent = storedRows(service, 'SELECT sent FROM sms_spending').map(({ sent }) => sent)
    assert.deepEqual(spent, [refuses ? 1 : 2])
  })
}
