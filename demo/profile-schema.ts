import type { ProfileSchemaInput } from '../contract/profile-schema.ts'

/** The demo tenant's profile schema, with a typical field of every component type. */
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
    },
    { name: 'about', type: 'multiline', label: 'About you', rules: { maxLength: 500 } },
    { name: 'workEmail', type: 'email', label: 'Work e-mail' },
    { name: 'homePhone', type: 'phone', label: 'Phone at home' },
    { name: 'website', type: 'url', label: 'Website', placeholder: 'https://' },
    { name: 'height', type: 'number', label: 'Height (m)', rules: { min: 0.5, max: 2.6, step: 0.01 } },
    { name: 'children', type: 'integer', label: 'Children', rules: { min: 0, max: 30 } },
    { name: 'newsletter', type: 'boolean', label: 'Newsletter' },
    { name: 'termsAccepted', type: 'boolean', label: 'I accept the terms', rules: { mustBeTrue: true } },
    { name: 'birthDate', type: 'date', label: 'Date of birth', rules: { minAge: 13 }, writeOnce: true },
    { name: 'nextVisit', type: 'datetime', label: 'Next visit' },
    { name: 'callMeAt', type: 'time', label: 'Best time to call', rules: { min: '08:00', max: '20:00' } },
    {
      name: 'country',
      type: 'select',
      label: 'Country',
      options: [
        { value: 'de', label: 'Germany' },
        { value: 'fr', label: 'France' },
        { value: 'jp', label: 'Japan' },
        { value: 'vn', label: 'Vietnam' },
      ],
    },
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
  ],
  presentation: [
    {
      section: 'about',
      title: 'About you',
      fields: ['firstName', 'nickname', 'about', 'birthDate', 'country', 'interests', 'tags'],
    },
    {
      section: 'contact',
      title: 'Contact',
      fields: ['workEmail', 'homePhone', 'website', 'callMeAt', 'nextVisit', 'newsletter'],
    },
    { section: 'more', title: 'More', fields: ['height', 'children', 'termsAccepted', 'loyaltyLevel'] },
  ],
  forms: { signUp: { title: 'Sign up', fields: ['firstName', 'birthDate', 'termsAccepted'] } },
}
