import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import field from './field.module.css'
import styles from './layout.module.css'

type FoldProps = {
  title: string
  /** Whether it is open at first: because its fields are filled. */
  isOpen: boolean
  children: ReactNode
}

/** Fields that most records leave empty, folded behind their title. */
export function Fold({ title, isOpen, children }: FoldProps) {
  const words = useTranslations('ui')
  const [isShown, setShown] = useState(isOpen)
  return (
    <details
      className={styles.fold}
      open={isShown}
      onToggle={({ currentTarget }) => setShown(currentTarget.open)}
    >
      <summary>
        <span className={field.label}>{title}</span>{' '}
        <span className={field.optional}>{words('optional')}</span>
      </summary>
      <div className={styles.stack}>{children}</div>
    </details>
  )
}
