import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './layout.module.css'

type SoftProps = { as?: 'p' | 'span'; role?: 'status'; children: ReactNode }

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
