import { defineConfig } from 'tsdown'

/** `dist/`: one module and one flattened `.d.ts` per entry. Built one by one, since a common build would share files. */
export default defineConfig(
  ['index', 'profile', 'react'].map((name) => ({
    entry: [`src/${name}.ts`],
    format: 'esm' as const,
    platform: 'neutral' as const,
    target: 'es2022',
    // The sources name the type of every export, so declarations need no type checker.
    dts: { oxc: true },
    fixedExtension: false,
    clean: name === 'index',
  })),
)
