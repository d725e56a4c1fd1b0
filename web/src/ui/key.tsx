import type { ReactNode } from 'react'
import styles from './key.module.css'

/** A key of the keyboard. Hidden where there is only a finger. */
export function Key({ children }: { children: ReactNode }) {
  return <kbd className={styles.key}>{children}</kbd>
}
