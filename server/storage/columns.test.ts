import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { columnsOf, computed, declaredColumns, flag, json, number, type Row, text } from './columns.ts'
import { openTestStorage } from './sqlite/open-storage.testkit.ts'

interface Book {
  readonly id: string
  readonly pages: number | null
  readonly lent: boolean
  readonly borrowed: boolean | null
  readonly tags: readonly string[]
  readonly note: { readonly by: string } | null
  readonly old: boolean
}

const books = columnsOf<Book>('books', {
  id: text('id'),
  pages: number('page_count'),
  lent: flag('lent'),
  borrowed: flag('borrowed'),
  tags: json('tags'),
  note: json('note'),
  old: computed(
    (book) => `CASE WHEN ${book}.year < 1900 THEN 1 ELSE 0 END`,
    (stored) => stored === 1,
  ),
})
const shelves = columnsOf<{ readonly shelf: string }>('books', { shelf: text('shelf') })

const row: Row<Book> = ['b', 9, 1, null, '["new"]', null, 1]
const book: Book = { id: 'b', pages: 9, lent: true, borrowed: null, tags: ['new'], note: null, old: true }

test('lists columns for SELECT and RETURNING by the name or the alias of the table', () => {
  const plain = 'id, page_count, lent, borrowed, tags, note'
  assert.equal(books.columns, `${plain}, CASE WHEN books.year < 1900 THEN 1 ELSE 0 END`)
  assert.equal(shelves.of('s'), 's.shelf')
  assert.equal(books.pick('id', 'old').of('b'), 'b.id, CASE WHEN b.year < 1900 THEN 1 ELSE 0 END')
})

test('reads an entity from anywhere in a row', () => {
  assert.deepEqual(books.read(row), book)
  assert.deepEqual(books.read(['before', 'before', ...row], 2), book)
  assert.deepEqual(books.readAll([row, row]), [book, book])
  assert.deepEqual(books.and(shelves).read([...row, 'top']), { ...book, shelf: 'top' })
})

test('writes every column that the database does not compute', () => {
  assert.equal(books.names, 'id, page_count, lent, borrowed, tags, note')
  assert.deepEqual(books.values(book), ['b', 9, 1, null, '["new"]', null])
  assert.equal(shelves.insert, 'INSERT INTO books (shelf) VALUES ($1)')
  assert.equal(
    books.pick('id', 'tags', 'old').and(shelves).tenantInsert,
    'INSERT INTO books (tenant_id, id, tags, shelf) VALUES ($1, $2, $3, $4)',
  )
})

test('rejects a column that is declared twice', () => {
  assert.throws(
    () => columnsOf<{ lent: boolean }>('books', { lent: flag('lent') }),
    /^Error: duplicate column books\.lent; declare it once$/,
  )
})

/** Tables whose columns no declaration has, and why. */
const undeclaredTables: Record<string, string> = {
  tenant_origins: 'only earlier versions wrote it',
  inbox: 'only earlier versions wrote it',
  sms_spending: 'a counter',
  inbox_end: 'a counter',
  schema_migrations: 'each engine reads it',
}

/** Columns that statements assign and compare and never read. */
const unread = ['otps.consumed_at', 'otps.verified_at', 'signing_keys.retired_at', 'tenants.building_version']

test('each column of the schema is declared', async () => {
  const { path, close } = await openTestStorage()
  const database = new DatabaseSync(path)
  const rows = database
    .prepare("SELECT t.name AS owner, c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'")
    .all()
  database.close()
  await close()
  const stored = rows
    .filter(({ owner, name }) => name !== 'tenant_id' && undeclaredTables[String(owner)] === undefined)
    .map(({ owner, name }) => `${owner}.${name}`)
  const declared = [...declaredColumns()]
    .flatMap(([table, columns]) => [...columns].map((column) => `${table}.${column}`))
    .filter((name) => !name.startsWith('books.') && !name.endsWith('.tenant_id'))
  const advice = 'declare each column with columnsOf beside the statements of its table'
  assert.deepEqual([...declared, ...unread].sort(), stored.sort(), advice)
})
