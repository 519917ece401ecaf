import { migrations } from '../../server/storage/migrations.ts'
import { openPostgresStorage } from '../../server/storage/postgres/postgres-storage.ts'
import { futureMigration } from './future-migration.ts'

/** A process that migrates the database `argv[2]`, and sleeps for `argv[3]` seconds during a migration. */
const [, , url = '', seconds = ''] = process.argv
await openPostgresStorage({ url, migrations: [...migrations, futureMigration(Number(seconds))] })
