import { useTranslations } from 'use-intl'
import { Badge } from '../../../ui/badge.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Soft } from '../../../ui/layout.tsx'
import { useSize } from '../../../ui/size.ts'
import type { Message } from '../queries.ts'
import styles from './thread.module.css'

type ReceivedProps = { received: NonNullable<Message['received']> }

/** Says of a message by mail that somebody else sent it. */
export function SentBy({ received: { sender, from } }: ReceivedProps) {
  const words = useTranslations('messages.received')
  if (sender === 'same') return null
  return (
    <p className={styles.mail}>
      <Badge tone="warn">{words(`sender.${sender}`)}</Badge>
      {from !== null && <span>{from}</span>}
      <span>{words(`senderHelp.${sender}`)}</span>
    </p>
  )
}

/** Shows what came with a message by mail: what it quotes, and what is attached. */
export function Received({ received: { quoted, attachments, problem } }: ReceivedProps) {
  const words = useTranslations('messages.received')
  const sizeOf = useSize()
  return (
    <>
      {problem !== null && <Soft>{words(`problem.${problem}`)}</Soft>}
      {quoted !== null && (
        <details>
          <summary>{words('quoted')}</summary>
          <p className={styles.body}>{quoted}</p>
        </details>
      )}
      {attachments.length > 0 && (
        <>
          <ul aria-label={words('attachments')}>
            {attachments.map(({ nom, type, bytes }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two of them may have one name
              <li key={at} className={styles.mail}>
                <Icon name="document" />
                <span className={styles.cause}>
                  {nom || words('unnamed', { type })} ({sizeOf(bytes)})
                </span>
              </li>
            ))}
          </ul>
          <Soft>{words('attachmentsHelp', { count: attachments.length })}</Soft>
        </>
      )}
    </>
  )
}
