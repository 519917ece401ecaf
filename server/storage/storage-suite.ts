import { describe, test } from 'node:test'
import { accountTests } from './suite/account-tests.ts'
import { deliveryTests } from './suite/delivery-tests.ts'
import { inboxTests } from './suite/inbox-tests.ts'
import { checkErasure, checkForeignIds, checkSharedIds } from './suite/isolation.ts'
import { messageTests } from './suite/message-tests.ts'
import type { OpenStorage } from './suite/opened-storage.ts'
import { otpTests } from './suite/otp-tests.ts'
import { signingKeyTests } from './suite/signing-key-tests.ts'
import { smsSpendingTests } from './suite/sms-spending-tests.ts'
import { tenantTests } from './suite/tenant-tests.ts'
import { transactionTests } from './suite/transaction-tests.ts'
import { seedTwoTenants } from './suite/two-tenants.ts'

/** What every engine must pass, each test on a fresh storage. */
export function storageSuite(engine: string, open: OpenStorage): void {
  describe(`storage on ${engine}`, () => {
    describe('one-time passwords', () => otpTests(open))
    describe('tenants', () => tenantTests(open))
    describe('accounts', () => accountTests(open))
    describe('delivery', () => deliveryTests(open))
    describe('messages', () => messageTests(open))
    describe('inbox', () => inboxTests(open))
    describe('SMS budgets', () => smsSpendingTests(open))
    describe('signing keys', () => signingKeyTests(open))
    describe('transactions', () => transactionTests(open))
    describe('tenant isolation', () => isolationTests(open))
  })
}

function isolationTests(open: OpenStorage): void {
  const sentences = {
    'every call through one tenant with ids of another finds nothing and changes nothing': checkForeignIds,
    'every call on an id that two tenants have meets the caller’s own row': checkSharedIds,
    'a deleted tenant is erased to its last row, and no other tenant’s row with it': checkErasure,
  }
  for (const [sentence, check] of Object.entries(sentences)) {
    test(sentence, async () => {
      const opened = await open()
      await seedTwoTenants(opened.storage)
      await check(opened)
      await opened.close()
    })
  }
}
