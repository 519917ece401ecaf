import { type ReactNode, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { styleNonce } from '../../parts/nonce.ts'
import classes from '../fields/field-row.module.css'

interface PreviewFrameProps {
  readonly title: string
  readonly scheme: 'light' | 'dark'
  readonly direction: 'ltr' | 'rtl'
  readonly language: string
  readonly children: ReactNode
}

/**
 * A frame with the styles of this page, whose colour scheme, direction and language are its own: a page has only one of
 * each. Its content belongs to this page's React tree.
 */
export function PreviewFrame({ title, scheme, direction, language, children }: PreviewFrameProps) {
  const [frame, setFrame] = useState<HTMLIFrameElement | null>(null)
  const [content, setContent] = useState<HTMLElement | null>(null)
  const [height, setHeight] = useState(320)
  useEffect(() => {
    const target = frame?.contentDocument
    if (!target) return
    target.title = title
    copyStyles(target)
    // A frame without a document type stretches its body.
    const root = target.createElement('div')
    target.body.replaceChildren(root)
    setContent(root)
  }, [frame, title])
  useEffect(() => {
    const root = content?.ownerDocument.documentElement
    if (!root) return
    root.dataset['mantineColorScheme'] = scheme
    root.style.colorScheme = scheme
    root.dir = direction
    root.lang = language
  }, [content, scheme, direction, language])
  useEffect(() => {
    if (content === null) return
    const observer = new ResizeObserver(() => setHeight(content.offsetHeight))
    observer.observe(content)
    return () => observer.disconnect()
  }, [content])
  const style = { height: `min(${Math.max(240, height)}px, calc(100dvh - 9rem))` }
  return (
    <>
      <iframe ref={setFrame} title={title} className={classes['frame']} style={style} />
      {content !== null && createPortal(children, content)}
    </>
  )
}

function copyStyles(target: Document): void {
  target.head.replaceChildren()
  for (const source of document.head.querySelectorAll<HTMLLinkElement | HTMLStyleElement>(
    'link[rel=stylesheet], style',
  )) {
    target.head.append(copyOf(source, target))
  }
  for (const source of document.body.querySelectorAll<HTMLStyleElement>('style[data-mantine-styles]')) {
    target.head.append(copyOf(source, target))
  }
  Object.assign(target.body.style, { background: 'var(--panel)', margin: '0' })
}

function copyOf(source: HTMLLinkElement | HTMLStyleElement, target: Document): HTMLElement {
  if (source.tagName === 'LINK') {
    const link = target.createElement('link')
    link.rel = 'stylesheet'
    link.href = (source as HTMLLinkElement).href
    return link
  }
  const style = target.createElement('style')
  style.nonce = styleNonce
  style.textContent = source.textContent
  return style
}
