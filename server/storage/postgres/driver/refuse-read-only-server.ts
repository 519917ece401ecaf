import type pg from 'pg'

/** The server is a standby, a primary that was demoted, or configured to refuse writes. */
class ReadOnlyServer extends Error {
  override name = 'ReadOnlyServer'
  readonly code = '25006'
  /** @param byDefault whether a setting makes every transaction read-only */
  constructor(byDefault: boolean) {
    super(
      byDefault
        ? 'default_transaction_read_only is on for the server, the database or the user; turn it off (some providers ' +
            'turn it on when the disk is full)'
        : 'the server is read-only (a standby or a demoted primary)',
    )
  }
}

/** @throws ReadOnlyServer */
export async function refuseReadOnlyServer(client: pg.Client): Promise<void> {
  if ((await shown(client, 'transaction_read_only')) === 'off') return
  throw new ReadOnlyServer((await shown(client, 'default_transaction_read_only')) === 'on')
}

const shown = async (client: pg.Client, setting: string): Promise<unknown> =>
  (await client.query(`SHOW ${setting}`)).rows[0]?.[setting]
