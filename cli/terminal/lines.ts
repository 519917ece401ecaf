/** The lines of a stream of UTF-8, without line breaks. Only `\n` ends a line: JSON may contain other separators. */
export async function* linesIn(chunks: AsyncIterable<Uint8Array>, onChunk = () => {}): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    onChunk()
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}
