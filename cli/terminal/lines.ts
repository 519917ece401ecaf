/**
 * The lines of a stream of UTF-8, without line breaks. The first line tells which they are: `\n`, or the `\r\n` of editors on
 * Windows. Nothing else ends a line: JSON may contain other separators.
 */
export async function* linesIn(chunks: AsyncIterable<Uint8Array>, onChunk = () => {}): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  let rest = ''
  let lineBreak: string | undefined
  for await (const chunk of chunks) {
    onChunk()
    const text = rest + decoder.decode(chunk, { stream: true })
    lineBreak ??= /\r?\n/.exec(text)?.[0]
    const lines = lineBreak === undefined ? [text] : text.split(lineBreak)
    rest = lines.pop() ?? ''
    yield* lines
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}
