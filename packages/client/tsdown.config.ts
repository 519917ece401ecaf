import { defineConfig } from 'tsdown'

/**
 * `dist/`: one module and one `.d.ts` per entry. Built together, so that entries share what has an identity: the error
 * classes, and where a session keeps what it stores.
 */
export default defineConfig({
  entry: ['index', 'admin', 'profile', 'react'].map((name) => `src/${name}.ts`),
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  // The sources name the type of every export, so declarations need no type checker.
  dts: { oxc: true },
  fixedExtension: false,
  // Next.js then names the hook that a server component calls, instead of failing at `createContext`.
  banner: ({ fileName }) => (fileName === 'react.js' ? "'use client'" : undefined),
})
