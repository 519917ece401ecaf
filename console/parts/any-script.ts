/**
 * For inputs whose text may be in any script: it begins on its own side. As a property of the component, `dir` is set on the
 * element around the input, where "auto" finds no text.
 */
export const anyScript = { attributes: { input: { dir: 'auto' } } } as const
