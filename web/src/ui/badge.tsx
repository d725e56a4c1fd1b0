import type { ReactNode } from 'react'
import styles from './badge.module.css'
import { cx } from './cx.ts'

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent'

/** State in one or two words. Colour is never its only sign. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={cx(styles.badge, styles[tone])}>{children}</span>
}
