import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { exportAccount } from '../../contract/accounts/account.ts'
import { ExportedUser } from '../../contract/admin/user-lines.ts'
import { storedRows, writeStored } from '../support/databases/stored-rows.ts'
import {
  columnsOfRowsLeft,
  columnsOfUsers,
  tablesAboutNoUser,
  tablesAboutUsers,
} from '../support/databases/tables-about-users.ts'
import { addFullAccount, addTenantForFullAccounts } from '../support/full-account.ts'
import type { IdentityProvider } from '../support/identity-provider.ts'
import type { TestService } from '../support/service.ts'
import { startServiceWithGoogle } from '../support/service-with-providers.ts'

let google: IdentityProvider
let service: TestService

before(async () => {
  ;({ service, google } = await startServiceWithGoogle())
})
after(() => Promise.all([service.close(), google.close()]))

const decide = 'decide on export and erasure, and list it in test/support/databases/tables-about-users.ts'
const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')
const columnsOf = (table: string): string[] =>
  service.database.columns().flatMap((each) => (each.table === table ? each.column : []))

test('export and erasure cover each table with a column that refers to users', () => {
  const about = /^(user_id|recipient|email|phone|subject|subject_id|user_agent|address)$/
  // Only earlier versions wrote the table `inbox`.
  const others = ['inbox', 'operators', 'operator_sessions']
  const found = service.database.columns().filter(({ table, column }) => !others.includes(table) && about.test(column))
  assert.deepEqual([...new Set(found.map(({ table }) => table))], Object.keys(tablesAboutUsers), decide)
  const all = new Set(service.database.columns().map(({ table }) => table))
  // Only PostgreSQL has it.
  all.delete('schema_lock')
  assert.deepEqual([...all].sort(), Object.keys({ ...tablesAboutUsers, ...tablesAboutNoUser }).sort(), decide)
})

test('lists each column of the rows that outlive their user', () => {
  const kept = Object.entries(tablesAboutUsers).filter(([, { left }]) => left !== 'nothing')
  assert.deepEqual(
    Object.keys(columnsOfRowsLeft),
    kept.map(([table]) => table),
  )
  for (const [table, { left, erased }] of Object.entries(columnsOfRowsLeft))
    assert.deepEqual(columnsOf(table).sort(), words(`${left} ${erased}`).sort(), `columns of ${table}: ${decide}`)
})

test('a deletion empties each column that is listed as erased', async () => {
  const tenant = await addTenantForFullAccounts(service, google)
  const { client, userId } = await addFullAccount(service, tenant, google)
  const { delivery, events } = service.service.services
  await Promise.all([delivery.drain(), events.drain()])
  const columns = Object.entries(columnsOfRowsLeft).flatMap(([table, { erased }]) =>
    words(erased).map((column) => ({ table, column, owner: table === 'events' ? 'subject_id' : 'user_id' })),
  )
  for (const { table, column, owner } of columns)
    await writeStored(service, `UPDATE ${table} SET ${column} = 'canary' WHERE ${owner} = ?`, userId)
  await client.deleteAccount()
  await events.drain()
  for (const { table, column, owner } of columns) {
    const rows = storedRows(
      service,
      `SELECT id, ${column} AS text FROM ${table} WHERE ${owner} = ? ORDER BY id`,
      userId,
    )
    assert.ok(rows.length > 0, table)
    assert.ok(!rows.some(({ text }) => text === 'canary'), `${table}.${column}: erase-user.ts leaves it`)
  }
})

test('lists each column of users with the members of the exports that show it', () => {
  assert.deepEqual(columnsOf('users').sort(), Object.keys(columnsOfUsers).sort(), `columns of users: ${decide}`)
  const members = { account: exportAccount.output.shape.user.shape, tenant: ExportedUser.shape }
  for (const [column, shown] of Object.entries(columnsOfUsers)) {
    for (const which of ['account', 'tenant'] as const) {
      const member = shown[which]
      assert.ok(member === null || Object.hasOwn(members[which], member), `${column}: no ${member} in ${which}`)
    }
  }
})
