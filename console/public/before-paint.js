// Runs before the first paint: sets the colour scheme that was chosen, and what Trusted Types let through.
const chosen = localStorage.getItem('mantine-color-scheme-value')
const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')

// Mantine writes its style elements with innerHTML. Their text has no `<`; anything else is refused.
globalThis.trustedTypes?.createPolicy('default', { createHTML: (text) => (text.includes('<') ? null : text) })
