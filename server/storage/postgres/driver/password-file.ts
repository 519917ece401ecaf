import { readFileSync } from 'node:fs'

/**
 * The database's password in a file: all of it but the newline at its end.
 * @throws Error in plain words that quotes nothing of the file
 */
export function readPasswordFile(path: string): string {
  const password = contentOf(path).replace(/\r?\n$/, '')
  if (password === '') throw new Error(`TENANTRY_DATABASE_PASSWORD_FILE: ${path} is empty`)
  return password
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(`TENANTRY_DATABASE_PASSWORD_FILE: ${path} cannot be read (${code})`)
  }
}
