import type { Command } from 'commander'
import type { AdminOutputOf } from '../../packages/client/src/admin.ts'
import { type OfTenant, tenantOption } from '../tenant-argument.ts'
import { shown, table } from '../terminal/layout.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { answerOfUser, userArgument } from './user-argument.ts'

type Session = AdminOutputOf<'listUserSessions'>['sessions'][number]

/** `tenantry user sessions` and `tenantry user end-sessions`. */
export function addSessionCommands(user: Command, terminal: Terminal): void {
  user
    .command('sessions')
    .description('list the open sessions of a user, most recently used first, at most 1,000')
    .argument(...userArgument)
    .option(...tenantOption)
    .action((named: string, { tenant }: OfTenant, command: Command) =>
      answerOfUser(
        named,
        tenant,
        command,
        terminal,
        async (admin, path) => (await admin.listUserSessions(path)).sessions,
        (sessions) => table(sessions, columns, 'The user has no open sessions.'),
      ),
    )

  user
    .command('end-sessions')
    .description('end all sessions of a user, or one of them, effective immediately')
    .argument(...userArgument)
    .argument('[session]', 'id of the session, as shown by "user sessions"')
    .option(...tenantOption)
    .action((named: string, sessionId: string | undefined, { tenant }: OfTenant, command: Command) =>
      answerOfUser(
        named,
        tenant,
        command,
        terminal,
        (admin, path) =>
          sessionId === undefined ? admin.endUserSessions(path) : admin.endUserSession({ ...path, sessionId }),
        () => `Ended: ${sessionId === undefined ? `all sessions of ${shown(named)}` : shown(sessionId)}`,
      ),
    )
}

const columns = {
  ID: (session: Session) => session.id,
  NETWORK: (session: Session) => session.network,
  'LAST USED': (session: Session) => session.lastUsedAt,
  CREATED: (session: Session) => session.createdAt,
  EXPIRES: (session: Session) => session.expiresAt,
  'USER AGENT': (session: Session) => session.userAgent,
}
