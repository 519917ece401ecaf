import type { ProfileSchemaInput } from '../contract/profile-schema.ts'

/**
 * The demo tenant's profile schema: a field of every type, controls, conditions, a unique nickname, fields by which the
 * operator finds users, and a form with steps.
 */
export const demoProfileSchema: ProfileSchemaInput = {
  components: [
    {
      name: 'firstName',
      type: 'text',
      label: { default: 'First name', fr: 'Prénom' },
      required: true,
      rules: { maxLength: 80 },
    },
    {
      name: 'nickname',
      type: 'text',
      label: 'Nickname',
      rules: { minLength: 2, maxLength: 30, pattern: '^[A-Za-z0-9_]+$' },
      messages: { pattern: { default: 'Use letters, digits and _.', fr: 'Utilisez des lettres, des chiffres et _.' } },
      unique: true,
    },
    {
      name: 'fullName',
      type: 'name',
      label: { default: 'Full name', fr: 'Nom complet' },
      rules: { parts: ['given', 'family', 'nativeScript'], requiredParts: ['given', 'family'] },
    },
    { name: 'about', type: 'multiline', label: 'About you', rules: { maxLength: 500 } },
    { name: 'workEmail', type: 'email', label: 'Work e-mail' },
    { name: 'homePhone', type: 'phone', label: 'Phone at home' },
    { name: 'website', type: 'url', label: 'Website', placeholder: 'https://' },
    { name: 'height', type: 'number', label: 'Height (m)', rules: { min: 0.5, max: 2.6, step: 0.01 } },
    { name: 'children', type: 'integer', label: 'Children', rules: { min: 0, max: 30 } },
    { name: 'newsletter', type: 'boolean', label: 'Newsletter', control: 'switch' },
    { name: 'termsAccepted', type: 'boolean', label: 'I accept the terms', rules: { mustBeTrue: true } },
    { name: 'birthDate', type: 'date', label: 'Date of birth', rules: { minAge: 13 }, writeOnce: true },
    { name: 'nextVisit', type: 'datetime', label: 'Next visit' },
    { name: 'callMeAt', type: 'time', label: 'Best time to call', rules: { min: '08:00', max: '20:00' } },
    { name: 'nextHoliday', type: 'week', label: 'Next holiday' },
    { name: 'customerSince', type: 'month', label: 'Customer since' },
    { name: 'country', type: 'country', label: { default: 'Country', fr: 'Pays' }, searchable: true },
    {
      name: 'spokenLanguage',
      type: 'language',
      label: { default: 'Spoken language', fr: 'Langue parlée' },
      rules: { in: ['de', 'en', 'fr', 'ja', 'pt-BR', 'vi'] },
    },
    { name: 'currency', type: 'currency', label: 'Currency', rules: { in: ['EUR', 'JPY', 'USD', 'VND'] } },
    { name: 'timezone', type: 'timezone', label: { default: 'Time zone', fr: 'Fuseau horaire' } },
    {
      name: 'address',
      type: 'address',
      label: { default: 'Address', fr: 'Adresse' },
      rules: {
        parts: ['line1', 'line2', 'postalCode', 'city', 'country'],
        requiredParts: ['line1', 'city', 'country'],
      },
    },
    {
      name: 'accountKind',
      type: 'select',
      label: { default: 'I use this', fr: 'J’utilise ce service' },
      control: 'radio',
      options: [
        { value: 'person', label: { default: 'for myself', fr: 'pour moi' } },
        { value: 'business', label: { default: 'for a business', fr: 'pour une entreprise' } },
      ],
    },
    {
      name: 'vatId',
      type: 'text',
      label: { default: 'VAT number', fr: 'Numéro de TVA' },
      rules: { pattern: '^[A-Z]{2}[0-9A-Z]{2,12}$' },
      messages: {
        pattern: {
          default: 'Begin with the two letters of the country, such as FR12345678901.',
          fr: 'Commencez par les deux lettres du pays, comme FR12345678901.',
        },
      },
      visibleWhen: { field: 'accountKind', is: 'business' },
      requiredWhen: { field: 'accountKind', is: 'business' },
    },
    {
      name: 'plan',
      type: 'select',
      label: { default: 'Plan', fr: 'Offre' },
      options: [
        { value: 'free', label: { default: 'Free', fr: 'Gratuite' } },
        { value: 'pro', label: 'Pro' },
        {
          value: 'team',
          label: { default: 'Team', fr: 'Équipe' },
          when: { field: 'accountKind', is: 'business' },
        },
      ],
      searchable: true,
    },
    {
      name: 'satisfaction',
      type: 'integer',
      label: { default: 'How do you like it?', fr: 'Qu’en pensez-vous ?' },
      control: 'stars',
      rules: { min: 1, max: 5 },
    },
    { name: 'volume', type: 'integer', label: 'Volume', control: 'range', rules: { min: 0, max: 100, step: 5 } },
    {
      name: 'research',
      type: 'consent',
      label: { default: 'I agree', fr: 'J’accepte' },
      description: {
        default: 'We may ask you about new features by e-mail, at most once a month.',
        fr: 'Nous pouvons vous interroger par e-mail sur les nouveautés, une fois par mois au plus.',
      },
      rules: { version: '2026-01' },
    },
    { name: 'campaign', type: 'text', control: 'hidden', rules: { maxLength: 40 } },
    {
      name: 'interests',
      type: 'multiselect',
      label: 'Interests',
      options: [{ value: 'music' }, { value: 'sports' }, { value: 'travel' }, { value: 'cooking' }],
      rules: { maxItems: 3 },
    },
    { name: 'tags', type: 'list', label: 'Tags', rules: { maxItems: 10, itemMaxLength: 20, unique: true } },
    {
      name: 'loyaltyLevel',
      type: 'text',
      label: 'Loyalty level',
      description: 'Set by the operator.',
      writable: false,
    },
    { name: 'supportNote', type: 'multiline', label: 'Note of the support team', readable: false, writable: false },
  ],
  presentation: [
    {
      section: 'about',
      title: { default: 'About you', fr: 'À propos de vous' },
      fields: ['firstName', 'nickname', 'fullName', 'about', 'birthDate', 'country', 'interests', 'tags'],
    },
    {
      section: 'contact',
      title: 'Contact',
      fields: ['workEmail', 'homePhone', 'website', 'address', 'callMeAt', 'nextVisit', 'newsletter', 'research'],
    },
    {
      section: 'region',
      title: { default: 'Language and region', fr: 'Langue et région' },
      fields: ['spokenLanguage', 'timezone', 'currency'],
    },
    {
      section: 'use',
      title: { default: 'How you use it', fr: 'Votre utilisation' },
      fields: ['accountKind', 'vatId', 'plan', 'satisfaction', 'volume'],
    },
    {
      section: 'more',
      title: { default: 'More', fr: 'Plus' },
      fields: ['height', 'children', 'customerSince', 'nextHoliday', 'termsAccepted', 'campaign', 'loyaltyLevel'],
    },
  ],
  forms: {
    signUp: { title: 'Sign up', fields: ['firstName', 'nickname', 'birthDate', 'termsAccepted'] },
    onboarding: {
      title: { default: 'Welcome', fr: 'Bienvenue' },
      prompt: 'signIn',
      steps: [
        {
          step: 'you',
          title: { default: 'You', fr: 'Vous' },
          fields: ['fullName', 'spokenLanguage'],
          required: ['fullName'],
        },
        {
          step: 'use',
          title: { default: 'Your use', fr: 'Votre utilisation' },
          fields: ['accountKind', 'vatId', 'plan'],
          required: ['accountKind'],
        },
        { step: 'mail', title: { default: 'Your address', fr: 'Votre adresse' }, verify: 'email' },
      ],
    },
  },
}
