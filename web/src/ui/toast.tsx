import {
  UNSTABLE_Toast as AriaToast,
  Text,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { Button, IconButton } from './button.tsx'
import { cx } from './cx.ts'
import { RequestId } from './notice.tsx'
import styles from './toast.module.css'

export type Toast = {
  title: string
  detail?: string
  /** Id of the failed request, to look it up in the log. */
  requestId?: string | null
  isError?: boolean
  action?: { label: string; shortcut?: string; run: () => void }
  /** Called when it was closed, by whomever, or after its time. */
  onClose?: () => void
}

/** The toast API of React Aria is unstable: only this file uses it. */
const queue = new ToastQueue<Toast>({ maxVisibleToasts: 3 })

let latestNews: string | null = null

/**
 * Shows a toast for ten seconds; an error stays until it is closed. A toast without an action is replaced by
 * the next one without an action. Returns a function that closes the toast.
 */
export function showToast(toast: Toast): () => void {
  const isNews = !toast.isError && toast.action === undefined
  if (isNews && latestNews !== null) queue.close(latestNews)
  const { isError, onClose } = toast
  const key = queue.add(toast, { ...(!isError && { timeout: 10_000 }), ...(onClose && { onClose }) })
  if (isNews) latestNews = key
  return () => queue.close(key)
}

export function Toasts() {
  const words = useTranslations('ui')
  return (
    <ToastRegion queue={queue} aria-label={words('notifications')} className={styles.region}>
      {({ toast }) => {
        const { title, detail, requestId, isError, action } = toast.content
        return (
          <AriaToast toast={toast} className={cx(styles.toast, isError && styles.error)}>
            <ToastContent className={styles.content}>
              <Text slot="title" className={styles.title}>
                {title}
              </Text>
              {(detail || requestId) && (
                <Text slot="description">
                  {detail}
                  {requestId && <RequestId id={requestId} />}
                </Text>
              )}
            </ToastContent>
            {action && (
              <Button
                small
                shortcut={action.shortcut}
                onPress={() => {
                  queue.close(toast.key)
                  action.run()
                }}
              >
                {action.label}
              </Button>
            )}
            <IconButton slot="close" icon="close" label={words('close')} />
          </AriaToast>
        )
      }}
    </ToastRegion>
  )
}
