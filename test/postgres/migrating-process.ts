import { migrations } from '../../server/storage/migrations.ts'
import { openPostgresStorage } from '../../server/storage/postgres/postgres-storage.ts'
import { futureMigration } from './future-migration.ts'

/** A process of its own that migrates the database `argv[2]`, and takes `argv[3]` seconds in the middle of a migration. */
const [, , url = '', seconds = ''] = process.argv
await openPostgresStorage({ url, migrations: [...migrations, futureMigration(Number(seconds))] })
