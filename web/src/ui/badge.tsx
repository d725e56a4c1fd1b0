import type { ReactNode } from 'react'
import styles from './badge.module.css'
import { cx } from './cx.ts'

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent'

/** A state in a word or two: never by colour alone. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={cx(styles.badge, styles[tone])}>{children}</span>
}
