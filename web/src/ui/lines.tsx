import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { Soft } from './layout.tsx'
import styles from './lines.module.css'

/** Short list in one frame, each line with its actions. */
export function Lines({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <ul className={styles.lines} aria-label={label}>
      {children}
    </ul>
  )
}

type LineProps = {
  icon: IconName
  title: ReactNode
  badge?: ReactNode
  note?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}

export function OneLine({ icon, title, badge, note, actions, children }: LineProps) {
  return (
    <li className={styles.line}>
      <Icon name={icon} />
      <div className={styles.words}>
        <strong className={styles.title}>{title}</strong> {badge}
        {note && <Soft>{note}</Soft>}
        {children}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </li>
  )
}
