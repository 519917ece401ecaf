import type { FastifyRequest } from 'fastify'
import type { ExpectedRevision } from '../core/handler.ts'
import { invalid } from '../core/service-error.ts'

/** The revision as an entity tag. */
export const entityTag = (revision: number): string => `"${revision}"`

/** An element of a list of entity tags and the comma after it; elements may be empty (RFC 9110 5.6.1, 8.8.3). */
const element = /[\t ]*(?:(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[\t ]*)?(?:,|$)/y

/** What `If-Match` requires; undefined without the header. Weak tags never match. */
export function readIfMatch({ headers }: FastifyRequest): ExpectedRevision | undefined {
  const sent = headers['if-match']
  if (sent === undefined) return undefined
  if (sent.trim() === '*') return (revision) => revision > 0
  const tags = strongTags(sent)
  if (tags === null) throw invalid({ 'If-Match': 'Expected * or quoted revisions, such as "3"' })
  return (revision) => tags.has(entityTag(revision))
}

/** The strong tags of a list; null when it is malformed or has no tag. */
function strongTags(list: string): ReadonlySet<string> | null {
  const tags = new Set<string>()
  let count = 0
  element.lastIndex = 0
  while (element.lastIndex < list.length) {
    const match = element.exec(list)
    if (match === null) return null
    const [, weak, tag] = match
    if (tag !== undefined) count++
    if (tag !== undefined && weak === undefined) tags.add(tag)
  }
  return count > 0 ? tags : null
}
