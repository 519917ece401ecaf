/** Whether a text is a number that JavaScript keeps as it is written. */
export const isExactNumber = (text: string): boolean =>
  /^-?\d+$/.test(text) ? Number.isSafeInteger(Number(text)) : text.trim() !== '' && Number.isFinite(Number(text))
