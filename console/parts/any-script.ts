/**
 * For inputs whose text may be in any script: it begins on its own side. As a property of the component, `dir` is set on the
 * element around the input, where "auto" finds no text.
 */
export const anyScript = { attributes: { input: { dir: 'auto' } } } as const

/** The same where the page may be right to left: an empty input follows the page, where "auto" would be left to right. */
export const scriptOf = (text: string | undefined) => (text ? anyScript : {})

/** The same for inputs of several values, which are beside the text that one types. */
export const anyScriptInList = { attributes: { inputField: { dir: 'auto' } } } as const
