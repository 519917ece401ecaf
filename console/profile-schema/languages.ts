import { languageName as nameOf } from '../parts/language-name.ts'
import type { Draft, LocalizedText } from './draft.ts'

/** The wording in a language, or for all others; `''` for none. */
export const wordingIn = (text: LocalizedText | undefined, language = 'default'): string => {
  if (text === undefined) return ''
  if (typeof text === 'string') return language === 'default' ? text : ''
  return (Object.hasOwn(text, language) && text[language]) || ''
}

/** The text with another wording in a language; undefined when no wording is left. */
export function withWording(
  text: LocalizedText | undefined,
  language: string,
  wording: string,
): LocalizedText | undefined {
  const words: Record<string, string> = typeof text === 'string' ? { default: text } : { ...text }
  if (wording === '') delete words[language]
  else words[language] = wording
  const languages = Object.keys(words)
  if (languages.length === 0) return undefined
  if (languages.length === 1 && languages[0] === 'default') return words['default']!
  const { default: everyone = '', ...others } = words
  return { default: everyone, ...others }
}

/** Every language that some text of the draft has, without `default`. */
export function languagesOf({ fields, sections, forms }: Draft): string[] {
  const found = new Set<string>()
  const add = (...texts: readonly (LocalizedText | undefined)[]) => {
    for (const text of texts) {
      if (typeof text !== 'object') continue
      for (const tag of Object.keys(text)) if (tag !== 'default') found.add(tag)
    }
  }
  for (const { label, description, placeholder, messages, options } of fields) {
    add(label, description, placeholder, ...Object.values(messages ?? {}), ...(options ?? []).map((one) => one.label))
  }
  for (const { title, description } of sections) add(title, description)
  for (const { title, description, steps } of Object.values(forms)) {
    add(title, description, ...(steps ?? []).flatMap((step) => [step.title, step.description]))
  }
  return [...found].toSorted()
}

/** The language's name in English with its tag, such as "French (fr)". */
export function languageName(tag: string): string {
  const name = nameOf(tag)
  return name === tag ? tag : `${name} (${tag})`
}

/** Whether a language is written from right to left. */
export function isRightToLeft(tag: string): boolean {
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    return ['Arab', 'Hebr', 'Thaa', 'Nkoo', 'Syrc', 'Adlm'].includes(script ?? '') || language === 'ar'
  } catch {
    return false
  }
}
