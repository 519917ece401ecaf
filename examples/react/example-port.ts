/**
 * The port of the example: `EXAMPLE_PORT`, or Vite's default. Vite takes the next free one.
 * @throws Error if it is not a port
 */
export function readExamplePort({ EXAMPLE_PORT: text }: NodeJS.ProcessEnv): number {
  if (!text) return 5173
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port >= 1 && port <= 65_535) return port
  throw new Error(`EXAMPLE_PORT: "${text}" is not valid; allowed: whole numbers from 1 to 65535`)
}
