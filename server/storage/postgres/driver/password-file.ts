import { readFileSync } from 'node:fs'

/**
 * Reads the database password from a file, without the newline at its end.
 * @throws Error that quotes nothing of the file
 */
export function readPasswordFile(path: string): string {
  const password = readText(path).replace(/\r?\n$/, '')
  if (password === '') throw new Error(`TENANTRY_DATABASE_PASSWORD_FILE: ${path} is empty`)
  return password
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(`TENANTRY_DATABASE_PASSWORD_FILE: ${path} cannot be read (${code})`)
  }
}
