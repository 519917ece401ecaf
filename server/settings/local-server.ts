import { secretsPath } from './kept-secrets.ts'
import type { Environ } from './settings-reader.ts'

/** The URL of a server on this machine that was started with these variables. */
export const localUrl = ({ PORT }: Environ): string => `http://127.0.0.1:${Number(PORT) || 4000}`

/** Where that server serves `/admin`. */
export const localAdminUrl = (env: Environ): string =>
  env['ADMIN_PORT'] ? `http://127.0.0.1:${env['ADMIN_PORT']}` : localUrl(env)

/** The path of its generated secrets. A remote database has no folder, so they are in `./data`. */
export const localSecretsPath = ({ DATABASE_URL }: Environ): string =>
  secretsPath(/^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(DATABASE_URL ?? '')?.[1] ?? './data/tenantry.db')
