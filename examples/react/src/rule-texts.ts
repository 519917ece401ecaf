import type { FieldDetail } from '@tenantry/client'
import type { ProfileFormField } from '@tenantry/client/react'
import type { Language } from './texts.ts'

type RuleTexts = { readonly [R in FieldDetail['rule']]?: (detail: Extract<FieldDetail, { rule: R }>) => string }

const listed = (values: readonly string[], language: string): string =>
  new Intl.ListFormat(language, { type: 'disjunction' }).format(values)

/** A sentence per rule that a user can break on this page. The service's own message serves for the others. */
const sentences: Readonly<Record<Language, RuleTexts>> = {
  en: {
    required: () => 'Fill in this field.',
    requiredWhen: () => 'Fill in this field.',
    minLength: ({ minLength }) => `Use at least ${minLength} characters.`,
    maxLength: ({ maxLength }) => `Use at most ${maxLength} characters.`,
    itemMaxLength: ({ itemMaxLength }) => `Use at most ${itemMaxLength} characters per entry.`,
    minItems: ({ minItems }) => `Choose at least ${minItems}.`,
    maxItems: ({ maxItems }) => `Choose at most ${maxItems}.`,
    uniqueItems: () => 'An entry appears twice.',
    pattern: () => 'This does not have the expected form.',
    format: () => 'This does not have the expected form.',
    min: ({ min }) => `The smallest value is ${min}.`,
    max: ({ max }) => `The largest value is ${max}.`,
    minAge: ({ minAge }) => `You must be at least ${minAge} years old.`,
    domains: ({ domains }) => `The address must end in ${listed(domains, 'en')}.`,
    options: () => 'Choose one of the options.',
    requiredParts: () => 'Fill in every required part.',
    mustBeTrue: () => 'You must agree to continue.',
    version: () => 'The text has changed. Read it again.',
    writeOnce: () => 'This cannot be changed any more.',
    lockedWhen: () => 'This cannot be changed now.',
    unique: () => 'Someone else has this already.',
  },
  fr: {
    required: () => 'Remplissez ce champ.',
    requiredWhen: () => 'Remplissez ce champ.',
    minLength: ({ minLength }) => `Au moins ${minLength} caractères.`,
    maxLength: ({ maxLength }) => `Au plus ${maxLength} caractères.`,
    itemMaxLength: ({ itemMaxLength }) => `Au plus ${itemMaxLength} caractères par entrée.`,
    minItems: ({ minItems }) => `Choisissez-en au moins ${minItems}.`,
    maxItems: ({ maxItems }) => `Choisissez-en au plus ${maxItems}.`,
    uniqueItems: () => 'Une entrée figure deux fois.',
    pattern: () => 'Le format n’est pas valide.',
    format: () => 'Le format n’est pas valide.',
    min: ({ min }) => `La plus petite valeur est ${min}.`,
    max: ({ max }) => `La plus grande valeur est ${max}.`,
    minAge: ({ minAge }) => `Vous devez avoir au moins ${minAge} ans.`,
    domains: ({ domains }) => `L’adresse doit se terminer par ${listed(domains, 'fr')}.`,
    options: () => 'Choisissez une des options.',
    requiredParts: () => 'Remplissez toutes les parties obligatoires.',
    mustBeTrue: () => 'Vous devez accepter pour continuer.',
    version: () => 'Le texte a changé. Relisez-le.',
    writeOnce: () => 'Ceci ne peut plus être modifié.',
    lockedWhen: () => 'Ceci ne peut pas être modifié maintenant.',
    unique: () => 'Une autre personne a déjà cette valeur.',
  },
}

/** What is wrong with a field: the tenant's own words, or else this page's, or else the service's. */
export function messageOf({ error, errorDetails, message }: ProfileFormField, language: Language): string | undefined {
  if (message !== undefined || errorDetails === undefined) return message ?? error
  const sentence = sentences[language][errorDetails.rule] as ((detail: FieldDetail) => string) | undefined
  return sentence?.(errorDetails) ?? error
}
