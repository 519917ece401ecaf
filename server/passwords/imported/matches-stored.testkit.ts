import { readStored } from './stored-password.ts'

/** Whether `password` matches the stored text, without the queue and the padding of the hasher. */
export async function matchesStored(stored: string, password: string): Promise<boolean> {
  return (await readStored(stored)?.matches(Buffer.from(password, 'utf8'))) ?? false
}
