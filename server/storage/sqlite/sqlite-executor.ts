import type { Executor } from '../database.ts'
import type { GroupCommit } from './group-commit.ts'
import type { GroupRead } from './group-read.ts'

/** What stores run their statements with, on one connection that reads and one that writes. */
export const sqliteExecutor = (reads: GroupRead, groups: GroupCommit): Executor => ({
  nestsWrites: false,
  hasRowIds: true,
  read: (work) => reads.read(work),
  write: (work) => groups.write(work),
  effect: (statement, ...parameters) => groups.write((attempt) => attempt.effect(statement, ...parameters)),
  append: (statement, ...parameters) => groups.write((attempt) => attempt.append(statement, ...parameters)),
})
