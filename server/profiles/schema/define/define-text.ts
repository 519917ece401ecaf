import { isRecord } from '../../../../contract/fields/profile-values.ts'
import { isLongerThan, isSoundText } from '../../../../contract/fields/sound-text.ts'
import type { LocalizedText } from '../../../../contract/profile-schema.ts'
import { at, type SchemaProblems } from './schema-problems.ts'

const MAX_LANGUAGES = 50
const LANGUAGE_TAG = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,7}$/

/** Checks a display text of 1 to `maxLength` code points per language; undefined when it is absent or invalid. */
export function defineText(
  input: unknown,
  path: string,
  maxLength: number,
  problems: SchemaProblems,
): LocalizedText | undefined {
  if (input === undefined) return undefined
  if (!isRecord(input)) return defineWording(input, path, maxLength, problems)
  const before = problems.count
  const { default: everyone, ...others } = input
  const tags = Object.keys(others)
  if (everyone === undefined) {
    problems.add(path, 'missing "default"; add the text for all other languages')
  }
  if (tags.length > MAX_LANGUAGES)
    problems.add(path, `${tags.length} languages; at most ${MAX_LANGUAGES} are allowed, remove some`)
  const languages = new Set(['default'])
  for (const tag of tags.slice(0, MAX_LANGUAGES)) {
    const language = tag.toLowerCase()
    if (!LANGUAGE_TAG.test(tag)) problems.add(at(path, tag), 'not a language tag; use one such as "fr" or "pt-BR"')
    else if (languages.has(language))
      problems.add(at(path, tag), 'the same language in other letters; keep one of them')
    languages.add(language)
  }
  for (const [tag, wording] of Object.entries(input).slice(0, MAX_LANGUAGES + 1)) {
    defineWording(wording, at(path, tag), maxLength, problems)
  }
  return problems.count > before ? undefined : (input as LocalizedText)
}

function defineWording(input: unknown, path: string, maxLength: number, problems: SchemaProblems): string | undefined {
  if (typeof input !== 'string') {
    problems.add(path, 'must be a string, or an object such as {"default": "Name", "fr": "Nom"}')
  } else if (input === '' || isLongerThan(input, maxLength)) {
    problems.add(path, `must have 1 to ${maxLength} characters; omit it for no text`)
  } else if (!isSoundText(input)) {
    problems.add(path, 'contains NUL or an unpaired surrogate; remove it')
  } else {
    return input
  }
  return undefined
}
