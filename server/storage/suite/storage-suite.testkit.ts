import { describe, test } from 'node:test'
import { sampleOf } from '../../../test/support/runner/sample-size.ts'
import { addressTests } from './address.testkit.ts'
import { countTests } from './counts.testkit.ts'
import { deliveryTests } from './delivery.testkit.ts'
import { eventBacklogTests } from './event-backlog.testkit.ts'
import { eventCommitmentTests } from './event-commitment.testkit.ts'
import { eventErasureTests } from './event-erasure.testkit.ts'
import { eventLogTests } from './event-log.testkit.ts'
import { eventQueueTests } from './event-queue.testkit.ts'
import { eventSealingTests } from './event-sealing.testkit.ts'
import { formPromptTests } from './form-prompt.testkit.ts'
import { idempotencyTests } from './idempotency.testkit.ts'
import { identityTests } from './identity.testkit.ts'
import { inboxTests } from './inbox.testkit.ts'
import { probes } from './isolation.testkit.ts'
import { limitTests } from './limit.testkit.ts'
import { manySessionTests } from './many-sessions.testkit.ts'
import { messageTests } from './message.testkit.ts'
import { messageListTests } from './message-list.testkit.ts'
import { noticeTests } from './notice.testkit.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { operatorTests } from './operator.testkit.ts'
import { operatorSessionTests } from './operator-session.testkit.ts'
import { otpTests } from './otp.testkit.ts'
import { passwordTests } from './password.testkit.ts'
import { profileTests } from './profile.testkit.ts'
import { profileIndexTests } from './profile-index.testkit.ts'
import { profileSearchTests } from './profile-search.testkit.ts'
import { schemaBuildTests } from './schema-build.testkit.ts'
import { sessionTests } from './session.testkit.ts'
import { signingKeyTests } from './signing-key.testkit.ts'
import { smsSpendingTests } from './sms-spending.testkit.ts'
import { tenantTests } from './tenant.testkit.ts'
import { transactionTests } from './transaction.testkit.ts'
import { twoLogs } from './two-logs.testkit.ts'
import { seedTwoTenants } from './two-tenants.testkit.ts'
import { undoCodeTests } from './undo-code.testkit.ts'
import { usedIdTokenTests } from './used-id-token.testkit.ts'
import { userTests } from './user.testkit.ts'
import { userListTests } from './user-list.testkit.ts'

/** Every engine passes these tests, each on an empty database. */
export function storageSuite(engine: string, open: OpenStorage): void {
  describe(`storage on ${engine}`, () => {
    describe('one-time passwords', () => otpTests(open))
    describe('undo codes', () => undoCodeTests(open))
    describe('tenants', () => tenantTests(open))
    describe('users', () => userTests(open))
    describe('lists of users', () => userListTests(open))
    describe('addresses', () => addressTests(open))
    describe('passwords', () => passwordTests(open))
    describe('form prompts', () => formPromptTests(open))
    describe('identities', () => identityTests(open))
    describe('used ID tokens', () => usedIdTokenTests(open))
    describe('idempotency keys', () => idempotencyTests(open))
    describe('sessions', () => sessionTests(open))
    describe('many sessions', () => manySessionTests(open))
    describe('profiles', () => profileTests(open))
    describe('profile index', () => profileIndexTests(open))
    describe('builds of a profile schema', () => schemaBuildTests(open))
    describe('profile search', () => profileSearchTests(open))
    describe('delivery', () => deliveryTests(open))
    describe('messages', () => messageTests(open))
    describe('lists of messages', () => messageListTests(open))
    describe('notices', () => noticeTests(open))
    describe('inbox', () => inboxTests(open))
    describe('SMS budgets', () => smsSpendingTests(open))
    describe('signing keys', () => signingKeyTests(open))
    describe('console sessions', () => operatorSessionTests(open))
    describe('operators', () => operatorTests(open))
    describe('event log', () => eventLogTests(open))
    describe('erasure of events', () => eventErasureTests(open))
    describe('sealing of events', () => eventSealingTests(open))
    describe('sealing of a backlog', () => eventBacklogTests(open))
    describe('counts', () => countTests(open))
    describe('limits', () => limitTests(open))
    describe('event queue', () => eventQueueTests(open))
    describe('commitments of events', () => eventCommitmentTests(engine, open))
    describe('transactions', () => transactionTests(open))
    describe('tenant isolation', () => isolationTests(engine, open))
  })
}

/** `npm test` runs all probes on SQLite, and a sample of them on other engines. */
function isolationTests(engine: string, open: OpenStorage): void {
  for (const [sentence, every] of Object.entries(probes)) {
    const all = engine === 'SQLite' ? every : sampleOf(every)
    test(sentence, async () => {
      const opened = await open()
      await seedTwoTenants(opened.storage)
      await opened.execute(twoLogs)
      for (const probe of all) await probe(opened)
      await opened.close()
    })
  }
}
