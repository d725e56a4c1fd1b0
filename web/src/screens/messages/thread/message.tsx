import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useMailPlace } from '../../../shell/mail-place.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Confirm } from '../../../ui/dialog.tsx'
import { Time } from '../../../ui/time.tsx'
import type { Message } from '../queries.ts'
import { Received, SentBy } from './received.tsx'
import styles from './thread.module.css'

type MessageProps = {
  /** Id of the user. */
  me: string
  message: Message
  /** Whether the thread accepts replies, and so a mail can be sent again. */
  mayReply: boolean
  onResend: () => void
  onUndo: () => void
}

export function MessageCard({ me, message, mayReply, onResend, onUndo }: MessageProps) {
  const words = useTranslations('messages')
  const { author, body, created_at, received } = message
  const isOurs = message.direction === 'outbound'
  return (
    <li className={cx(styles.message, isOurs && styles.ours)}>
      <div className={styles.by}>
        <strong>
          {author.nom ?? (isOurs ? words(author.id === me ? 'you' : 'somebody') : words('unnamed'))}
        </strong>
        <Time at={created_at} />
      </div>
      {received !== null && <SentBy received={received} />}
      <p className={styles.body}>{body}</p>
      {received !== null && <Received received={received} />}
      {message.email_status !== null && (
        <MailState message={message} mayReply={mayReply} onResend={onResend} onUndo={onUndo} />
      )}
    </li>
  )
}

const tones = {
  held: 'accent',
  queued: 'plain',
  sending: 'plain',
  sent: 'good',
  failed: 'bad',
  uncertain: 'warn',
} as const

/** What became of the mail, in words, and what can be done about it. */
function MailState({ message, mayReply, onResend, onUndo }: Omit<MessageProps, 'me'>) {
  const words = useTranslations('messages')
  const { mail } = useMailPlace()
  const [isAsking, setAsking] = useState(false)
  const { email_status, email_error, can } = message
  if (email_status === null) return null
  const state = can.includes('delete') && email_error === null ? 'held' : email_status
  const isEnded = email_status === 'failed' || email_status === 'uncertain'
  return (
    <div className={styles.mail}>
      <Badge tone={tones[state]}>{words(`mail.${state}`, { mail })}</Badge>
      {isEnded && <span>{words(`mailHelp.${email_status}`)}</span>}
      {email_error !== null && email_status !== 'sent' && (
        <span className={styles.cause}>{words('serverSaid', { error: email_error })}</span>
      )}
      {can.includes('delete') && (
        <Button small look="quiet" onPress={onUndo}>
          {words('undoSend')}
        </Button>
      )}
      {isEnded && mayReply && (
        <Button
          small
          icon="refresh"
          onPress={() => (email_status === 'uncertain' ? setAsking(true) : onResend())}
        >
          {words('resend')}
        </Button>
      )}
      <Confirm
        title={words('resendTitle')}
        action={words('resend')}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false)
          onResend()
        }}
      >
        <p>{words('resendHelp')}</p>
      </Confirm>
    </div>
  )
}
