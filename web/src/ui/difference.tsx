import { diffWordsWithSpace } from 'diff'
import { Fragment, useMemo } from 'react'
import styles from './difference.module.css'
import { isMarkedUp, parse } from './markup.ts'

type DifferenceProps = {
  before: string
  after: string
  /** Shows only this text and marks the words that the other lacks. By default both, as tracked changes. */
  side?: 'before' | 'after'
}

/** Difference of two texts, word by word. Screen readers announce deletions and insertions. */
export function Difference({ before, after, side }: DifferenceProps) {
  const parts = useMemo(() => diffWordsWithSpace(before, after, { timeout: 200 }), [before, after])
  // The comparison timed out: shows the text without marks.
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

/** Converts HTML to plain text, one line per paragraph. */
export function plainText(html: string): string {
  if (!isMarkedUp(html)) return html
  const body = parse(html.replaceAll(/<br\s*\/?>|<\/(p|li|h\d|blockquote)>/gi, '$&\n'))
  for (const silent of body.querySelectorAll('script, style, template')) silent.remove()
  return (body.textContent ?? '').replaceAll(/\n{3,}/g, '\n\n').trim()
}
