import { defineConfig } from 'tsdown'

/** `dist/`: one module and one flattened `.d.ts` per entry. */
export default defineConfig({
  entry: ['src/index.ts', 'src/profile.ts', 'src/react.ts'],
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  // The sources name the type of every export, so declarations need no type checker.
  dts: { oxc: true },
  tsconfig: './tsconfig.json',
  fixedExtension: false,
  clean: true,
})
