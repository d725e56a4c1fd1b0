import type { Change } from 'diff'
import { Fragment, type ReactNode, useEffect, useMemo, useState } from 'react'
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
  const parts = useParts(before, after)
  // The comparison timed out, or its library is on its way: shows the text without marks.
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

type Compare = typeof import('diff')['diffWordsWithSpace']
let compare: Compare | null = null

/** Returns the parts of two texts. Few publications are compared: the library loads with the first that is. */
function useParts(before: string, after: string): readonly Change[] | undefined {
  const [loaded, setLoaded] = useState<Compare | null>(() => compare)
  useEffect(() => {
    if (loaded !== null) return
    let isShown = true
    const show = (found: Compare) => {
      compare = found
      if (isShown) setLoaded(() => found)
    }
    // The texts without marks say enough while it cannot be loaded.
    import('diff').then(({ diffWordsWithSpace }) => show(diffWordsWithSpace)).catch(() => {})
    return () => {
      isShown = false
    }
  }, [loaded])
  return useMemo(() => loaded?.(before, after, { timeout: 200 }), [loaded, before, after])
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
