import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './layout.module.css'

type SoftProps = { as?: 'p' | 'span'; id?: string; role?: 'status'; children: ReactNode }

/** Less prominent text: a note, a hint, or that there is nothing. */
export function Soft({ as: Tag = 'p', ...props }: SoftProps) {
  return <Tag {...props} className={styles.soft} />
}

type RowProps = {
  as?: 'div' | 'p' | 'span' | 'ul' | 'li'
  'aria-label'?: string
  isSoft?: boolean
  children: ReactNode
}

/** Buttons, badges or short texts in a row, which wraps where there is no space. */
export function Row({ as: Tag = 'div', isSoft, ...props }: RowProps) {
  return <Tag {...props} className={cx(styles.row, isSoft && styles.soft)} />
}

/** Link by the name of a record in a list: it looks like a title until it is pointed at. */
export function TitleAnchor({ children, ...props }: ComponentProps<'a'>) {
  return (
    <a {...props} className={styles.title} data-opens>
      {children}
    </a>
  )
}

/**
 * What can be done with the selected rows of a list, below it: nothing moves under the pointer when the first row is
 * selected. It stays in view while the list scrolls.
 */
export function SelectionBar({ chosen, children }: { chosen: string; children: ReactNode }) {
  return (
    <div role="status" className={styles.selection} data-selection-bar>
      <span>{chosen}</span>
      {children}
    </div>
  )
}
