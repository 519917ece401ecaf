import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'
import type { FocusEvent, KeyboardEvent } from 'react'

const teal: MantineColorsTuple = [
  ...(['#e9f8f6', '#d5f5ee', '#a9e8dd', '#75d5c7', '#42bdae'] as const),
  ...(['#22a595', '#128072', '#0f6f65', '#0b5a52', '#08463f'] as const),
]
const dark: MantineColorsTuple = [
  ...(['#e3e7ea', '#c3cbd2', '#9aa6b1', '#7c8893', '#2f3841'] as const),
  ...(['#262e37', '#1d232a', '#0f1317', '#0c1013', '#090c0f'] as const),
]

/** What floats belongs to the screen: content outside of `main` is in no landmark. */
const insideMain = { target: '#main' }
const scrolls = { maxHeight: 260, overflowY: 'auto' } as const

/** Props of lists, most of which are searched by typing. */
const searched = {
  // A list that scrolls is a stop of Tab, but closes when its field loses the focus: the focus would be nowhere.
  attributes: { options: { tabIndex: -1 } },
  // Enter takes what was searched.
  selectFirstOptionOnChange: true,
  nothingFoundMessage: 'No match',
  // With an open list Enter does not send the form: it would send the value from before.
  onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Enter' && event.currentTarget.ariaExpanded === 'true') event.preventDefault()
  },
}
/** What is typed replaces the text, also in dialogs, in which Tab moves the focus by script and selects nothing. */
const replaced = {
  onFocus({ currentTarget }: FocusEvent<HTMLInputElement>) {
    if (!currentTarget.readOnly) currentTarget.select()
  },
}

/** One accent on quiet greys. Contrasts are at least 4.5 : 1 for text (WCAG 1.4.3). */
export const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: { light: 7, dark: 6 },
  colors: { teal, dark },
  defaultRadius: 'md',
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.5rem', lineHeight: '1.3' } } },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' }, centered: true, radius: 'lg' },
      styles: { content: { background: 'var(--panel)' }, header: { background: 'var(--panel)' } },
    },
    // A <header> inside the dialog would be a second banner of the page.
    ModalHeader: { defaultProps: { role: 'none' } },
    Drawer: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: { content: { background: 'var(--panel)' }, header: { background: 'var(--panel)' } },
    },
    DrawerHeader: { defaultProps: { role: 'none' } },
    // Its own colours on its tint miss 4.5 : 1.
    Alert: { styles: { label: { color: 'var(--mantine-color-text)' } } },
    // A place for the focus inside the menu would be a child without a role.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, portalProps: insideMain } },
    Combobox: { defaultProps: { portalProps: insideMain } },
    // A list that scrolls itself is reached with the keys of its field; a scroll area around it is not.
    Select: { defaultProps: { withScrollArea: false, ...searched, ...replaced }, styles: { options: scrolls } },
    MultiSelect: { defaultProps: { withScrollArea: false, ...searched }, styles: { options: scrolls } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: true } },
    Code: { defaultProps: { color: 'var(--code)' } },
    Button: {
      defaultProps: { fw: 600 },
      // A button that is wider than its place takes two lines, as with a large text on a phone.
      styles: {
        root: { display: 'inline-grid', maxWidth: '100%', height: 'auto', minHeight: 'var(--button-height)' },
        label: { whiteSpace: 'normal' },
      },
    },
  },
})

/** Mantine's own values for these miss 4.5 : 1. */
export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#f7f8f9',
    '--mantine-color-text': '#14191e',
    '--mantine-color-dimmed': '#57626d',
    '--mantine-color-placeholder': '#68737e',
    '--mantine-color-default-border': '#d5dade',
    '--mantine-color-error': '#c02b2b',
  },
  dark: {
    '--mantine-color-dimmed': '#9aa6b1',
    '--mantine-color-placeholder': '#8d99a4',
    '--mantine-color-default-border': '#38424c',
    '--mantine-color-error': '#ff8f8f',
  },
})
