import { createElement, Fragment, type ReactNode, useMemo } from 'react'
import { isMarkedUp, parse } from './markup.ts'
import styles from './rich-text.module.css'

/** Allowed elements; all others are replaced by their text. */
const allowed = new Set([
  'B',
  'BLOCKQUOTE',
  'BR',
  'EM',
  'H2',
  'H3',
  'H4',
  'I',
  'LI',
  'OL',
  'P',
  'STRONG',
  'U',
  'UL',
])
/** Moves the headings of a text below those of the screen. */
const shownAs: Record<string, string> = { H2: 'h4', H3: 'h5', H4: 'h6' }
const silent = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'IFRAME', 'OBJECT', 'NOSCRIPT'])

/** Renders plain text or simple HTML safely: it rebuilds allowed elements only and runs nothing. */
export function RichText({ html }: { html: string }) {
  const content = useMemo(() => (isMarkedUp(html) ? childrenOf(parse(html)) : html), [html])
  return <div className={styles.text}>{content}</div>
}

const childrenOf = (node: Node): ReactNode[] => Array.from(node.childNodes, toReact)

function toReact(node: Node, key: number): ReactNode {
  if (node instanceof Text) return node.data
  if (!(node instanceof Element) || silent.has(node.tagName)) return null
  if (node instanceof HTMLAnchorElement && /^(https?|mailto|tel):$/.test(node.protocol)) {
    return (
      <a key={key} href={node.href} target="_blank" rel="noreferrer noopener">
        {childrenOf(node)}
      </a>
    )
  }
  if (node.tagName === 'BR') return <br key={key} />
  if (!allowed.has(node.tagName)) return <Fragment key={key}>{childrenOf(node)}</Fragment>
  return createElement(shownAs[node.tagName] ?? node.tagName.toLowerCase(), { key }, ...childrenOf(node))
}
