import { type Change, diffWordsWithSpace } from 'diff'
import { Fragment, type ReactNode, useMemo } from 'react'
import styles from './difference.module.css'
import { isMarkedUp, parse } from './markup.ts'

type DifferenceProps = {
  before: string
  after: string
  /** Shows only this text and marks the words that the other lacks. By default both, as tracked changes. */
  side?: 'before' | 'after'
  /** Shown in place of the marks where the texts have next to nothing in common: all of it would be marked. */
  ifUnlike?: ReactNode
}

/** Share of the letters below which texts have next to nothing in common: articles and the like. */
const fewest = 0.2

/** Difference of two texts, word by word. Screen readers announce deletions and insertions. */
export function Difference({ before, after, side, ifUnlike }: DifferenceProps) {
  const parts = useMemo(() => diffWordsWithSpace(before, after, { timeout: 200 }), [before, after])
  // The comparison timed out: shows the text without marks.
  if (parts === undefined) return <p className={styles.text}>{side === 'before' ? before : after}</p>
  if (
    ifUnlike !== undefined &&
    before !== '' &&
    after !== '' &&
    isUnlike(parts, side === 'before' ? before : after)
  )
    return (
      <>
        <p className={styles.text}>{side === 'before' ? before : after}</p>
        {ifUnlike}
      </>
    )
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

function isUnlike(parts: readonly Change[], text: string): boolean {
  const same = parts.filter(({ added, removed }) => !added && !removed).map(({ value }) => value)
  return lettersIn(same.join('')) < fewest * lettersIn(text)
}

const lettersIn = (text: string) => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

/** Converts HTML to plain text, one line per paragraph. */
export function plainText(html: string): string {
  if (!isMarkedUp(html)) return html
  const body = parse(html.replaceAll(/<br\s*\/?>|<\/(p|li|h\d|blockquote)>/gi, '$&\n'))
  for (const silent of body.querySelectorAll('script, style, template')) silent.remove()
  return (body.textContent ?? '').replaceAll(/\n{3,}/g, '\n\n').trim()
}
