import type { ReactNode } from 'react'
import styles from './key.module.css'

/** Keyboard key. Hidden on touch screens. */
export function Key({ children }: { children: ReactNode }) {
  return <kbd className={styles.key}>{children}</kbd>
}
