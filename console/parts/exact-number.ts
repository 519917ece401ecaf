/** Whether a text is a number that JavaScript keeps as it is written. */
export const isExactNumber = (text: string): boolean =>
  /^-?\d+$/.test(text) ? Number.isSafeInteger(Number(text)) : Number.isFinite(Number(text))
