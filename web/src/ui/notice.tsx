import type { ReactNode, Ref } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import { Icon, type IconName } from './icon.tsx'
import { useIntoView } from './into-view.ts'
import styles from './notice.module.css'

type Tone = 'info' | 'warn' | 'bad'
const icons: Record<Tone, IconName> = { info: 'info', warn: 'warning', bad: 'error' }

type NoticeProps = {
  tone?: Tone
  title: string
  children?: ReactNode
  action?: ReactNode
  icon?: IconName
  ref?: Ref<HTMLDivElement>
}

/** Message in the page. Screen readers announce it when it appears. */
export function Notice({ tone = 'info', title, children, action, icon = icons[tone], ref }: NoticeProps) {
  return (
    <div ref={ref} role={tone === 'bad' ? 'alert' : 'status'} className={cx(styles.notice, styles[tone])}>
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
  // In a form it follows a press of its button, which may be far below.
  const ref = useIntoView<HTMLDivElement>((element) => element.closest('form') !== null)
  return (
    <Notice
      ref={ref}
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
      {requestId && <RequestId id={requestId} />}
    </Notice>
  )
}

/** Line with the id by which the log names a request. */
export function RequestId({ id }: { id: string }) {
  const words = useTranslations('ui')
  return (
    <span className={styles.request}>
      {words('requestId')} <code>{id}</code>
    </span>
  )
}
