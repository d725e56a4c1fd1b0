import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useCurrent } from '../../shell/current.ts'
import { templatesQuery } from '../../shell/deciding/queries.ts'
import { useShortcuts } from '../../shell/navigation/shortcuts.tsx'
import { notesQuery } from '../../shell/records/colleagues/queries.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Empty, Skeleton } from '../../ui/empty.tsx'
import { ScreenTitle } from '../../ui/page.tsx'
import { useActions } from './actions.ts'
import { BulkBar } from './bulk-bar.tsx'
import { useCommands } from './commands.ts'
import { ListHead } from './list-head.tsx'
import styles from './messages.module.css'
import {
  type Filters,
  flagThread,
  markThread,
  messagesQuery,
  type ReadThread,
  type Thread,
  threadQuery,
} from './queries.ts'
import { ShownThreads } from './shown-threads.tsx'
import { Side } from './thread/side.tsx'
import { ThreadPane } from './thread/thread.tsx'
import { useThreads } from './use-threads.ts'

const route = getRouteApi('/signed-in/messages')
const signedIn = getRouteApi('/signed-in')

/** Inbox: list, thread and its details. The URL holds the filters and the selected thread. */
export function MessagesScreen() {
  const words = useTranslations('messages')
  const { me } = signedIn.useRouteContext()
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/messages' })
  const list = useRef<HTMLDivElement>(null)
  const note = useRef<HTMLInputElement | HTMLTextAreaElement>(null)
  const field = useRef<HTMLInputElement | HTMLTextAreaElement>(null)
  const { current, show, goTo } = useCurrent(list)
  const { q, status = 'open', only, assignee } = search
  const filters: Filters = {
    status,
    ...(q && { q }),
    ...(only && { only }),
    ...(assignee && { assignee: assignee === 'me' ? me.id : assignee }),
  }
  const threads = useThreads(filters, current)
  const { items, index, thread } = threads
  const focusReply = useReplyFocus(thread?.id, field)
  const actions = useActions({
    onChanged: threads.put,
    onRestored(threadId) {
      show(threadId)
      focusReply(threadId)
    },
  })
  const { chosen, setChosen, several, toggle } = useChosen(items, current)
  const isDetailed = search.pane === 'details'
  const setPane = (pane: 'details' | undefined) =>
    void navigate({ search: (before) => ({ ...before, pane }) })

  const step = (by: 1 | -1) => goTo((items[index + by] ?? items[index] ?? items[0])?.id ?? null)
  const { close, mark, assign, take } = useCommands({
    ...{ me: me.id, thread, several, actions },
    onChangedSeveral: () => setChosen(new Set()),
    onClosed: () => status === 'open' && goTo((items[index + 1] ?? items[index - 1])?.id ?? null),
  })
  const startReply = () => {
    if (isDetailed) setPane(undefined)
    if (thread !== null) focusReply(thread.id)
    field.current?.focus()
  }
  const startNote = () => {
    // At once, so that fast typing does not reach the shortcuts.
    note.current?.focus()
    setPane('details')
    // On a small screen the pane is hidden until the next render.
    setTimeout(() => note.current?.focus(), 0)
  }
  useShortcuts(words('title'), [
    { key: 'j', label: words('keys.next'), run: () => step(1), repeats: true },
    { key: 'k', label: words('keys.previous'), run: () => step(-1), repeats: true },
    { key: 'r', label: words('keys.reply'), run: startReply },
    { key: 'c', label: words('keys.close'), run: close },
    { key: 'm', label: words('keys.mark'), run: mark },
    { key: 'a', label: words('keys.take'), run: take },
    { key: 'n', label: words('keys.note'), run: startNote },
    { key: 'x', label: words('keys.select'), run: toggle },
    { key: 'u', label: words('keys.undo'), run: actions.undo },
  ])
  usePrefetched(items[index + 1]?.id)

  return (
    <div className={styles.screen}>
      <ScreenTitle title={words('title')} />
      <section className={cx(styles.list, current !== null && styles.covered)} aria-label={words('list')}>
        <ListHead
          me={me.id}
          search={search}
          filters={filters}
          threads={threads}
          onFilter={(change) => {
            setChosen(new Set())
            void navigate({ search: (before) => ({ ...before, ...change }) })
          }}
        />
        <ShownThreads
          threads={threads}
          isFiltered={Boolean(q || only || assignee) || status !== 'open'}
          current={current}
          selected={chosen}
          onOpen={show}
          onSelect={setChosen}
          listRef={list}
        />
        {several.length > 0 && <BulkBar threads={several} onClose={close} onMark={mark} onTake={take} />}
      </section>
      <section
        className={cx(styles.thread, current === null && styles.absent, isDetailed && styles.behind)}
        aria-label={words('one')}
      >
        {actions.error !== null && <ShownFailure error={actions.error} />}
        <ThreadState opened={threads.opened} isOpen={current !== null} />
        {thread !== null && thread.id === current && (
          <ThreadPane
            key={thread.id}
            me={me.id}
            thread={thread}
            isPending={actions.isSending}
            actions={<ThreadButtons thread={thread} onReply={startReply} onClose={close} onMark={mark} />}
            onBack={() => show(null)}
            onDetails={() => setPane('details')}
            onRead={() => actions.change(thread, (now) => markThread(now, false))}
            onSend={(body, outcome) => actions.send(thread, body, outcome)}
            onSent={() => goTo(thread.id)}
            onResend={actions.resend}
            onUndo={actions.undoSend}
            replyRef={field}
          />
        )}
      </section>
      <aside
        className={cx(styles.side, (current === null || !isDetailed) && styles.aside)}
        aria-label={words('details')}
      >
        {thread !== null && thread.id === current && (
          <Side
            key={thread.id}
            thread={thread}
            areas={me.areas}
            onBack={() => setPane(undefined)}
            onAssign={assign}
            onFlag={(flag) => actions.change(thread, (now) => flagThread(now, flag))}
            noteRef={note}
          />
        )}
      </aside>
    </div>
  )
}

type ButtonsProps = { thread: ReadThread; onReply: () => void; onClose: () => void; onMark: () => void }

function ThreadButtons({ thread, onReply, onClose, onMark }: ButtonsProps) {
  const words = useTranslations('messages')
  return (
    <>
      <span className={styles.wide}>
        <Button small shortcut="r" onPress={onReply} isDisabled={!thread.can.includes('reply')}>
          {words('answer')}
        </Button>
      </span>
      <Button small shortcut="c" onPress={onClose}>
        {words(thread.status === 'open' ? 'close' : 'open')}
      </Button>
      <Button small shortcut="m" onPress={onMark}>
        {words(thread.unread ? 'markRead' : 'markUnread')}
      </Button>
    </>
  )
}

/** Says that no thread is open, that it is being read, or why it cannot be read. */
function ThreadState({
  opened,
  isOpen,
}: {
  opened: ReturnType<typeof useThreads>['opened']
  isOpen: boolean
}) {
  const words = useTranslations('messages')
  if (!isOpen)
    return (
      <Empty icon="inbox" title={words('nothingOpen')}>
        <p>{words('nothingOpenText')}</p>
      </Empty>
    )
  if (opened.isError) return <ShownFailure error={opened.error} onRetry={() => void opened.refetch()} />
  return opened.data === undefined && <Skeleton lines={8} />
}

/** Returns a function that focuses the reply of a thread, once it is on the screen. */
function useReplyFocus(
  shown: string | undefined,
  field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>,
): (threadId: string) => void {
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    if (wanted.current === null || wanted.current !== shown || field.current === null) return
    wanted.current = null
    field.current.focus()
  })
  return (threadId) => {
    wanted.current = threadId
  }
}

/** The selected threads of the list. */
function useChosen(items: readonly Thread[], current: string | null) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  return {
    chosen,
    setChosen,
    several: items.filter(({ id }) => chosen.has(id)),
    toggle() {
      if (current === null) return
      const next = new Set(chosen)
      if (!next.delete(current)) next.add(current)
      setChosen(next)
    },
  }
}

/** Prefetches the next thread. */
function usePrefetched(id: string | undefined) {
  const client = useQueryClient()
  useEffect(() => {
    void client.prefetchQuery(templatesQuery('reply'))
    if (id === undefined) return
    void client.prefetchQuery(threadQuery(id))
    void client.prefetchInfiniteQuery(messagesQuery(id))
    void client.prefetchQuery(notesQuery('thread', id))
  }, [id, client])
}
