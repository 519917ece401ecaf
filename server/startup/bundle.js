// JavaScript, for the reason in code-cache.js.
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const repository = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The address of a program's module: in the bundle, which `launcher/bundle.mjs` builds and which loads in half of the time, or in
 * the sources where there is no bundle or it is older (docs/decisions/0045-bundle.md).
 * @param name of the bundled module: `server` or `cli`
 * @param source its path in the repository, such as `server/main.ts`
 */
export const moduleOf = (name, source) => pathToFileURL(join(repository, isCurrent() ? `dist/${name}.js` : source)).href

/**
 * Whether there is a bundle, and neither a file that it was built from nor the lock file of its packages has changed since. Their
 * dates alone do not tell: those of an earlier version that is put back (`rsync -a`, `tar -x`) are older than the bundle.
 */
export function isCurrent(root = repository) {
  try {
    const { startedAt, lock, sources } = JSON.parse(readFileSync(join(root, 'dist/sources.json'), 'utf8'))
    const isUnchanged = ([path, size]) => {
      const found = statSync(`${root}/${path}`)
      return found.mtimeMs < startedAt && found.size === size
    }
    return Object.entries(sources).every(isUnchanged) && lock === hashLock(root)
  } catch (error) {
    if (error.code === 'ENOENT') return false
    throw error
  }
}

/** SHA-256 of package-lock.json: npm changes its date without changing it. */
export const hashLock = (root = repository) =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
