import { diffWordsWithSpace } from 'diff'
import { Fragment, useMemo } from 'react'
import styles from './difference.module.css'
import { isMarkedUp, parse } from './markup.ts'

type DifferenceProps = {
  before: string
  after: string
  /** The text that is read: words that only it has are marked. Both by default, as an editor shows a change. */
  side?: 'before' | 'after'
}

/** A text with the words marked that another one has not. Read out as removals and insertions. */
export function Difference({ before, after, side }: DifferenceProps) {
  const parts = useMemo(() => diffWordsWithSpace(before, after, { timeout: 200 }), [before, after])
  // Too different to compare in time: nothing is marked.
  if (parts === undefined) return <p className={styles.text}>{side === 'before' ? before : after}</p>
  return (
    <p className={styles.text}>
      {parts.map(({ value, added, removed }, index) => {
        const key = `${index}`
        if (added) return side !== 'before' && <ins key={key}>{value}</ins>
        if (removed) return side !== 'after' && <del key={key}>{value}</del>
        return <Fragment key={key}>{value}</Fragment>
      })}
    </p>
  )
}

/** The words of a text with a little HTML: paragraphs as lines. */
export function plainText(html: string): string {
  if (!isMarkedUp(html)) return html
  const body = parse(html.replaceAll(/<br\s*\/?>|<\/(p|li|h\d|blockquote)>/gi, '$&\n'))
  for (const silent of body.querySelectorAll('script, style, template')) silent.remove()
  return (body.textContent ?? '').replaceAll(/\n{3,}/g, '\n\n').trim()
}
