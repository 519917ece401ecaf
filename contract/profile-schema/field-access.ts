import type { ComponentControl } from './component.ts'

const scalars = [
  'text',
  'multiline',
  'email',
  'phone',
  'url',
  'number',
  'integer',
  'boolean',
  'date',
  'datetime',
  'time',
]
const codes = ['country', 'language', 'currency', 'timezone']

/** The types that may have each flag; all types where a flag is absent. */
export const typesOfFlag: Readonly<Record<string, readonly string[]>> = {
  unique: ['text', 'email', 'phone', 'url', 'select', 'integer'],
  searchable: [
    ...['text', 'email', 'phone', 'url', 'select', 'multiselect', 'number', 'integer', 'date', 'country', 'language'],
    'boolean',
  ],
  claim: [...scalars, ...codes, 'month', 'week', 'select'],
}

/** The types whose values have an order that `min` and `max` of a condition use. */
export const orderedTypes: readonly string[] = ['number', 'integer', 'date', 'month', 'week']

const text: readonly string[] = ['text', 'email', 'phone', 'url']
const dates: readonly string[] = ['date', 'datetime', 'time', 'month', 'week']

/** The types that each control can show. */
export const typesOfControl: Readonly<Record<ComponentControl, readonly string[]>> = {
  dropdown: ['select', 'multiselect', ...codes],
  radio: ['select', 'boolean', ...codes],
  checkboxes: ['multiselect'],
  switch: ['boolean', 'consent'],
  range: ['number', 'integer'],
  stars: ['number', 'integer'],
  textarea: ['text', 'multiline'],
  hidden: [...text, 'multiline', 'number', 'integer', 'boolean', ...dates, 'select', 'multiselect', 'list', ...codes],
  avatar: ['url', 'image'],
}
