import { describe, test } from 'node:test'
import { addressTests } from './suite/address-tests.ts'
import { deliveryTests } from './suite/delivery-tests.ts'
import { identityTests } from './suite/identity-tests.ts'
import { inboxTests } from './suite/inbox-tests.ts'
import { probes } from './suite/isolation.ts'
import { limitTests } from './suite/limit-tests.ts'
import { messageTests } from './suite/message-tests.ts'
import { noticeTests } from './suite/notice-tests.ts'
import type { OpenStorage } from './suite/opened-storage.ts'
import { otpTests } from './suite/otp-tests.ts'
import { passwordTests } from './suite/password-tests.ts'
import { profileTests } from './suite/profile-tests.ts'
import { sessionTests } from './suite/session-tests.ts'
import { signingKeyTests } from './suite/signing-key-tests.ts'
import { smsSpendingTests } from './suite/sms-spending-tests.ts'
import { tenantTests } from './suite/tenant-tests.ts'
import { transactionTests } from './suite/transaction-tests.ts'
import { seedTwoTenants } from './suite/two-tenants.ts'
import { usedIdTokenTests } from './suite/used-id-token-tests.ts'
import { userTests } from './suite/user-tests.ts'

/** What every engine must pass, each test on a fresh storage. */
export function storageSuite(engine: string, open: OpenStorage): void {
  describe(`storage on ${engine}`, () => {
    describe('one-time passwords', () => otpTests(open))
    describe('tenants', () => tenantTests(open))
    describe('users', () => userTests(open))
    describe('addresses', () => addressTests(open))
    describe('passwords', () => passwordTests(open))
    describe('identities', () => identityTests(open))
    describe('used ID tokens', () => usedIdTokenTests(open))
    describe('sessions', () => sessionTests(open))
    describe('profiles', () => profileTests(open))
    describe('delivery', () => deliveryTests(open))
    describe('messages', () => messageTests(open))
    describe('notices', () => noticeTests(open))
    describe('inbox', () => inboxTests(open))
    describe('SMS budgets', () => smsSpendingTests(open))
    describe('signing keys', () => signingKeyTests(open))
    describe('limits', () => limitTests(open))
    describe('transactions', () => transactionTests(open))
    describe('tenant isolation', () => isolationTests(open))
  })
}

function isolationTests(open: OpenStorage): void {
  for (const [sentence, all] of Object.entries(probes)) {
    test(sentence, async () => {
      const opened = await open()
      await seedTwoTenants(opened.storage)
      for (const probe of all) await probe(opened)
      await opened.close()
    })
  }
}
