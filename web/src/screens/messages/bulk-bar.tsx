import { useTranslations } from 'use-intl'
import { Button } from '../../ui/button.tsx'
import styles from './messages.module.css'
import type { Thread } from './queries.ts'

type BulkBarProps = {
  threads: readonly Thread[]
  onClose: () => void
  onMark: () => void
  onTake: () => void
}

/** Changes that apply to all selected threads. */
export function BulkBar({ threads, onClose, onMark, onTake }: BulkBarProps) {
  const words = useTranslations('messages')
  return (
    <div className={styles.bulk} role="status">
      <span>{words('chosen', { count: threads.length })}</span>
      <Button small look="primary" shortcut="c" onPress={onClose}>
        {words(threads.some(({ status }) => status === 'open') ? 'close' : 'open')}
      </Button>
      <Button small shortcut="m" onPress={onMark}>
        {words(threads.every(({ unread }) => !unread) ? 'markUnread' : 'markRead')}
      </Button>
      <Button small shortcut="a" onPress={onTake}>
        {words('take')}
      </Button>
    </div>
  )
}
