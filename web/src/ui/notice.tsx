import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import { Icon, type IconName } from './icon.tsx'
import styles from './notice.module.css'

type Tone = 'info' | 'warn' | 'bad'
const icons: Record<Tone, IconName> = { info: 'info', warn: 'warning', bad: 'error' }

type NoticeProps = { tone?: Tone; title: string; children?: ReactNode; action?: ReactNode; icon?: IconName }

/** Message in the page. Screen readers announce it when it appears. */
export function Notice({ tone = 'info', title, children, action, icon = icons[tone] }: NoticeProps) {
  return (
    <div role={tone === 'bad' ? 'alert' : 'status'} className={cx(styles.notice, styles[tone])}>
      <Icon name={icon} />
      <div className={styles.words}>
        <strong className={styles.title}>{title}</strong>
        {children}
      </div>
      {action}
    </div>
  )
}

type FailureProps = { message: string; requestId?: string | null; onRetry?: () => void }

/** Error message with the request id to look it up in the log. */
export function Failure({ message, requestId, onRetry }: FailureProps) {
  const words = useTranslations('ui')
  return (
    <Notice
      tone="bad"
      title={message}
      action={
        onRetry && (
          <Button small icon="refresh" onPress={onRetry}>
            {words('retry')}
          </Button>
        )
      }
    >
      {requestId && (
        <p className={styles.request}>
          {words('requestId')} <code>{requestId}</code>
        </p>
      )}
    </Notice>
  )
}
