import { after, before } from 'node:test'
import { startPostgres } from '../../../test/postgres-server.ts'
import { storageSuite } from '../storage-suite.ts'
import { type PostgresForTests, postgresForTests } from './postgres-for-tests.ts'

let postgres: PostgresForTests
before(async () => {
  postgres = await postgresForTests(await startPostgres())
})
after(() => postgres.close())

storageSuite('PostgreSQL', () => postgres.open())
