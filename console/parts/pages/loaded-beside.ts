import { type ComponentType, lazy } from 'react'

/**
 * A component whose file is loaded beside the screen, and not when it is first shown: after an upgrade the server may not
 * have the file any more, and what was typed into the screen would be lost with it.
 */
export function loadedBeside<Props extends object>(component: Promise<ComponentType<Props>>) {
  // If it was not loaded, the screen says so once it is to be shown.
  component.catch(() => {})
  return lazy(async () => ({ default: await component }))
}
