import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { QueryState } from '../../../shell/query-state.tsx'
import { Present } from '../../../shell/records/colleagues/present.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Row } from '../../../ui/layout.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Flag } from '../flag.tsx'
import { type Message, messagesQuery, type ReadThread } from '../queries.ts'
import { MessageCard } from './message.tsx'
import { Reply } from './reply.tsx'
import styles from './thread.module.css'

type ThreadProps = {
  me: string
  thread: ReadThread
  actions: ReactNode
  isPending: boolean
  onBack: () => void
  onDetails: () => void
  onRead: () => void
  onSend: (body: string, outcome: { onSent: () => void; onRefused: () => void }) => void
  onSent: () => void
  onResend: (message: Message) => void
  onUndo: (message: Message) => void
  replyRef: RefObject<HTMLInputElement | HTMLTextAreaElement | null>
}

/** How long a thread must be on the screen to count as read, so that stepping through the list reads nothing. */
const readAfterMs = 1_500

/** Messages of a thread, with the field for the reply below them. */
export function ThreadPane(props: ThreadProps) {
  const {
    me,
    thread,
    actions,
    isPending,
    onBack,
    onDetails,
    onRead,
    onSend,
    onSent,
    onResend,
    onUndo,
    replyRef,
  } = props
  const words = useTranslations('messages')
  const loaded = useInfiniteQuery(messagesQuery(thread.id))
  const messages = (loaded.data?.pages ?? []).toReversed().flatMap(({ data }) => data)
  const mayReply = thread.can.includes('reply')
  const end = useRef<HTMLDivElement>(null)
  const newest = messages.at(-1)?.id
  // Both are read at the same time, and a message may be stored in between: then the messages are read once more.
  const { refetch } = loaded
  const { last_message_at: latest } = thread
  const [readFor, setReadFor] = useState('')
  const isBehind = loaded.isSuccess && (messages.at(-1)?.created_at ?? '') < latest && readFor !== latest
  useEffect(() => {
    if (isBehind) void refetch().finally(() => setReadFor(latest))
  }, [isBehind, refetch, latest])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message is scrolled to
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [newest])
  useReadAfter(readAfterMs, thread.can.includes('read'), onRead)
  return (
    <article className={styles.thread} aria-labelledby="thread-title">
      <div className={styles.actions}>
        <span className={styles.back}>
          <Button look="quiet" small icon="back" onPress={onBack}>
            {words('back')}
          </Button>
        </span>
        {actions}
        <span className={styles.toDetails}>
          <Button look="quiet" small icon="info" onPress={onDetails}>
            {words('details')}
          </Button>
        </span>
      </div>
      <div className={styles.content}>
        <ThreadHead thread={thread} />
        <Present kind="thread" id={thread.id} />
        {thread.drafting.length > 0 && (
          <Notice
            title={words('drafting', {
              names: thread.drafting.map(({ nom }) => nom ?? words('somebody')).join(', '),
            })}
          />
        )}
        <QueryState query={loaded} lines={6} />
        {loaded.hasNextPage && (
          <Button
            small
            look="quiet"
            isPending={loaded.isFetchingNextPage}
            onPress={() => void loaded.fetchNextPage()}
          >
            {words('earlier')}
          </Button>
        )}
        <ol className={styles.messages} aria-label={words('messages')}>
          {messages.map((message) => (
            <MessageCard
              key={message.id}
              me={me}
              message={message}
              mayReply={mayReply}
              onResend={() => onResend(message)}
              onUndo={() => onUndo(message)}
            />
          ))}
        </ol>
        <div ref={end} />
      </div>
      {mayReply && loaded.isSuccess && (
        <Reply
          me={me}
          thread={thread}
          messages={messages}
          isPending={isPending}
          isReading={isBehind || (loaded.isFetching && !loaded.isFetchingNextPage)}
          onSend={onSend}
          onSent={onSent}
          fieldRef={replyRef}
        />
      )}
      {!mayReply && <Notice title={words('noAddress')} />}
    </article>
  )
}

function ThreadHead({ thread }: { thread: ReadThread }) {
  const words = useTranslations('messages')
  return (
    <header className={styles.head}>
      <h2 id="thread-title" className={styles.title}>
        {thread.subject}
      </h2>
      <Row isSoft as="p">
        <span>{words('number', { number: String(thread.number) })}</span>
        <Badge tone={thread.status === 'open' ? 'accent' : 'plain'}>{words(`status.${thread.status}`)}</Badge>
        {thread.unread && <Badge>{words('unread')}</Badge>}
        {thread.flag && <Flag colour={thread.flag} />}
      </Row>
    </header>
  )
}

/** Calls `onRead` once the thread has been on the screen for this long, if it was unread. */
function useReadAfter(ms: number, wasUnread: boolean, onRead: () => void) {
  const read = useRef(onRead)
  read.current = onRead
  const isUnread = useRef(wasUnread)
  useEffect(() => {
    if (!isUnread.current) return
    const timer = setTimeout(() => read.current(), ms)
    return () => clearTimeout(timer)
  }, [ms])
}
