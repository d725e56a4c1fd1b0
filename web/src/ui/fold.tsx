import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import field from './field.module.css'
import styles from './layout.module.css'

type FoldProps = {
  title: string
  /** Opens it when it becomes true, because its fields are filled. The user may close it. */
  isOpen: boolean
  children: ReactNode
}

/** Fields that most records leave empty, folded behind their title. */
export function Fold({ title, isOpen, children }: FoldProps) {
  const words = useTranslations('ui')
  const [isShown, setShown] = useState(isOpen)
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen)
    if (isOpen) setShown(true)
  }
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
