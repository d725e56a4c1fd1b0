import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useCurrent } from '../../../shell/current.ts'
import { groundsQuery, templatesQuery } from '../../../shell/deciding/queries.ts'
import { afterDrawing, usePreloaded } from '../../../shell/later.tsx'
import { type Shortcut, useShortcuts } from '../../../shell/navigation/shortcuts.tsx'
import { notesQuery } from '../../../shell/records/colleagues/queries.ts'
import { settings } from '../../../shell/settings.ts'
import { cx } from '../../../ui/cx.ts'
import { ScreenTitle } from '../../../ui/page.tsx'
import { type DecisionRequest, useDecisions } from '../deciding/decisions.ts'
import { Detail } from '../detail/detail.tsx'
import { useShowDuplicates } from '../duplicates/show.ts'
import { type ListedPublication, publicationQuery, type ReviewFilter, type ReviewKind } from '../queries.ts'
import { Actions, NothingOpen, Only } from './actions.tsx'
import { Chosen } from './chosen.tsx'
import { dialogs, ReviewDialog, useReviewDialog } from './dialogs.tsx'
import { ReviewHead } from './head.tsx'
import { QueueList } from './queue-list.tsx'
import styles from './review.module.css'
import { hasFilters, reviewFilter, reviewSearch } from './search.ts'
import { useQueue } from './use-queue.ts'
import { type Selection, useSelection } from './use-selection.ts'

export const QueueScreen = () => <Review kind="queue" />
export const ReportsScreen = () => <Review kind="reports" />

/** List beside the publication to decide on. The URL holds the search and the selected publication. */
function Review({ kind }: { kind: ReviewKind }) {
  const words = useTranslations('queue')
  const title = words(`titles.${kind}`)
  usePreloaded(dialogs)
  const { selected: _, ...inUrl } = reviewSearch(useSearch({ strict: false }))
  const { oldestFirst } = settings.use()
  const filter = reviewFilter(inUrl, oldestFirst)
  const navigate = useNavigate()
  const openDuplicates = useShowDuplicates()
  const list = useRef<HTMLDivElement>(null)
  const note = useRef<HTMLInputElement | HTMLTextAreaElement>(null)
  const position = useCurrent(list)
  const { current, show, goTo } = position
  const dialog = useReviewDialog(current)
  const decisions = useDecisions({
    onUndone: goTo,
    onReview: goTo,
    onNothingToUndo: dialog.showLatest,
    onLeft: (rows) => selection.chooseAgain(rows),
  })
  const queue = useQueue({ kind, filter, decisions, current })
  const { items, index, row } = queue
  const selection: Selection = useSelection(queue, position, decisions.conflicts)
  const { several, opened, targets } = selection
  const narrow = (changed: ReviewFilter) => {
    selection.clear()
    void navigate({ to: '.', search: (before) => ({ ...before, ...changed }) })
  }
  const { decide, publish, close } = verdictsOf(decisions, selection)
  const showDuplicates = () => current !== null && void openDuplicates(current)
  const keys: Record<ReviewKind, Shortcut[]> = {
    queue: [
      { key: 'a', label: words('publish'), run: () => publish(targets) },
      { key: 's', label: words('schedule'), run: () => dialog.askFor('moment', targets) },
    ],
    reports: [{ key: 'c', label: words('close'), run: () => close(targets) }],
  }
  useShortcuts(title, [
    { key: 'j', label: words('next'), run: () => selection.step(1), repeats: true },
    { key: 'k', label: words('previous'), run: () => selection.step(-1), repeats: true },
    ...keys[kind],
    { key: 'r', label: words('reject'), run: () => dialog.askFor('rejection', targets) },
    { key: 'e', label: words('correct'), run: dialog.correct },
    { key: 'h', label: words('history'), run: dialog.showHistory },
    { key: 'd', label: words('duplicates'), run: showDuplicates },
    { key: 'n', label: words('note'), run: () => note.current?.focus() },
    { key: 'x', label: words('select'), run: selection.toggle },
    { key: 'u', label: words('undo'), run: decisions.undo },
    { key: 'U', label: words('latest'), run: dialog.showLatest },
  ])
  usePrefetched(items[index + 1]?.id)

  return (
    <div className={styles.screen}>
      {/* On a small screen the publication covers the list and its visible title. */}
      <ScreenTitle title={title} />
      <section className={cx(styles.side, current !== null && styles.covered)} aria-label={title}>
        <ReviewHead
          kind={kind}
          inUrl={inUrl}
          filter={filter}
          queue={queue}
          onNarrow={narrow}
          onView={(view) => {
            selection.clear()
            void navigate({ to: '.', search: view })
          }}
          onLatest={dialog.showLatest}
        />
        <QueueList
          kind={kind}
          isSearch={hasFilters(filter)}
          queue={queue}
          position={position}
          selection={selection}
          conflicts={decisions.conflicts}
          listRef={list}
        />
        <Chosen
          kind={kind}
          queue={queue}
          selection={selection}
          progress={decisions.progress}
          onAccept={() => (kind === 'queue' ? publish(several) : close(several))}
          onReject={() => dialog.askFor('rejection', several)}
        />
      </section>
      <section className={cx(styles.detail, current === null && styles.absent)} aria-label={words('detail')}>
        {current === null ? (
          <NothingOpen isEmpty={items.length === 0} onStart={() => selection.step(1)} />
        ) : (
          <Detail
            key={current}
            id={current}
            row={row}
            conflict={decisions.conflicts.get(current) ?? null}
            noteRef={note}
            onCorrect={dialog.correct}
            onHistory={dialog.showHistory}
            onDuplicates={showDuplicates}
            onBack={() => show(null)}
            narrowing={row !== null && <Only publication={row} filter={filter} onNarrow={narrow} />}
            actions={
              row !== null && (
                <Actions
                  kind={kind}
                  onPublish={() => publish(opened)}
                  onSchedule={() => dialog.askFor('moment', opened)}
                  onReject={() => dialog.askFor('rejection', opened)}
                  onCorrect={dialog.correct}
                  onClose={() => close(opened)}
                />
              )
            }
          />
        )}
      </section>
      {dialog.asking !== null && (
        <ReviewDialog
          asking={dialog.asking}
          current={current}
          onClose={dialog.close}
          onDecide={decide}
          onUndo={decisions.undoById}
        />
      )}
    </div>
  )
}

/** Decides on rows, and opens what follows them. */
function verdictsOf(decisions: ReturnType<typeof useDecisions>, { goOn }: Selection) {
  const decide = (rows: readonly ListedPublication[], asked: DecisionRequest, onSuccess?: () => void) => {
    const [first] = rows
    if (first === undefined) return
    if (rows.length === 1) decisions.decide(first, asked, onSuccess)
    else decisions.decideMany(rows, asked, onSuccess)
    goOn(rows)
  }
  return {
    decide,
    publish: (rows: readonly ListedPublication[]) => decide(rows, { status: 'published' }),
    close(rows: readonly ListedPublication[]) {
      const [first] = rows
      if (first === undefined) return
      if (rows.length === 1) decisions.close(first)
      else decisions.closeMany(rows)
      goOn(rows)
    },
  }
}

/** Prefetches the next publication. */
function usePrefetched(id: string | undefined) {
  const client = useQueryClient()
  useEffect(() => {
    return afterDrawing(() => {
      void client.prefetchQuery(templatesQuery('rejection'))
      void client.prefetchQuery(groundsQuery)
      if (id === undefined) return
      void client.prefetchQuery(publicationQuery(id))
      void client.prefetchQuery(notesQuery('publication', id))
    })
  }, [id, client])
}
