import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useCurrent } from '../../../shell/current.ts'
import { templatesQuery } from '../../../shell/deciding/queries.ts'
import { ReasonDialog } from '../../../shell/deciding/reason-dialog.tsx'
import { afterDrawing, later, usePreloaded } from '../../../shell/later.tsx'
import { Arrivals } from '../../../shell/lists/arrivals.tsx'
import { ExportButton } from '../../../shell/lists/export-button.tsx'
import { ModerationTabs } from '../../../shell/navigation/moderation-tabs.tsx'
import { type Shortcut, useShortcuts } from '../../../shell/navigation/shortcuts.tsx'
import { notesQuery } from '../../../shell/records/colleagues/queries.ts'
import { changeSettings, settings } from '../../../shell/settings.ts'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Empty, Skeleton } from '../../../ui/empty.tsx'
import { Filters } from '../../../ui/filters.tsx'
import { Soft } from '../../../ui/layout.tsx'
import { useNarrow } from '../../../ui/narrow.ts'
import { ScreenTitle } from '../../../ui/page.tsx'
import { Search } from '../../../ui/search.tsx'
import { type DecisionRequest, useDecisions } from '../deciding/decisions.ts'
import { Detail } from '../detail/detail.tsx'
import { useShowDuplicates } from '../duplicates/show.ts'
import { noFilters, usePublicationFilters } from '../filters.tsx'
import {
  type ListedPublication,
  publicationQuery,
  type ReviewFilter,
  type ReviewKind,
  reviewFilters,
} from '../queries.ts'
import { Actions, ChosenBar } from './actions.tsx'
import { ReviewList } from './list.tsx'
import styles from './review.module.css'
import { hasFilters, reviewFilter, reviewSearch } from './search.ts'
import { useQueue } from './use-queue.ts'

const waits = { waits: true }
const Correct = later(async () => (await import('../writing/correct.tsx')).Correct, waits)
const History = later(async () => (await import('../history/history.tsx')).History, waits)
const LatestDecisions = later(
  async () => (await import('../../../shell/deciding/latest.tsx')).LatestDecisions,
  waits,
)
// The queue draws it at once: its texts are in fr-first.ts.
const Views = lazy(async () => ({ default: (await import('../../../shell/lists/views/views.tsx')).Views }))
const Schedule = later(async () => (await import('../deciding/schedule.tsx')).Schedule, waits)
const dialogs = [Correct, History, LatestDecisions, Schedule]

export const QueueScreen = () => <Review kind="queue" />
export const ReportsScreen = () => <Review kind="reports" />

/** Open dialog. One for a decision holds its publications: the list may change while it is open. */
type Asking =
  | { what: 'rejection' | 'moment'; of: readonly ListedPublication[] }
  | { what: 'latest' | 'correction' | 'history' }

/** List beside the publication to decide on. The URL holds the search and the selected publication. */
function Review({ kind }: { kind: ReviewKind }) {
  const words = useTranslations('queue')
  const title = words(`titles.${kind}`)
  usePreloaded(dialogs)
  const { selected: _, ...inUrl } = reviewSearch(useSearch({ strict: false }))
  const { oldestFirst } = settings.use()
  const filter = reviewFilter(inUrl, oldestFirst)
  const { q = '' } = filter
  const navigate = useNavigate()
  const openDuplicates = useShowDuplicates()
  const client = useQueryClient()
  const list = useRef<HTMLDivElement>(null)
  /** Set once the last loaded row is decided, or one before the list is loaded: the first of the next is opened. */
  const wantsFirst = useRef(false)
  const note = useRef<HTMLInputElement | HTMLTextAreaElement>(null)
  const { current, show, preselect, goTo } = useCurrent(list)
  const isNarrow = useNarrow()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [asking, setAsking] = useState<Asking | null>(null)
  const decisions = useDecisions({
    onUndone: goTo,
    onReview: goTo,
    onNothingToUndo: () => setAsking({ what: 'latest' }),
  })
  const queue = useQueue({ kind, filter, decisions, current })
  const { items, index, row } = queue
  const isOldestFirst = filter.sort === 'created_at_asc'
  const narrow = (changed: ReviewFilter) => {
    setChosen(new Set())
    void navigate({ to: '.', search: (before) => ({ ...before, ...changed }) })
  }
  const filters = usePublicationFilters(filter, narrow)
  const several = items.filter(({ id }) => chosen.has(id))
  // The buttons beside the open publication decide on it alone, the keys on the selection if there is one.
  const opened = row === null ? [] : [row]
  const targets = several.length > 0 ? several : opened

  const step = (by: 1 | -1) => goTo((items[index + by] ?? items[index] ?? items[0])?.id ?? null)
  const decide = (rows: readonly ListedPublication[], asked: DecisionRequest, onSuccess?: () => void) => {
    const [first] = rows
    if (first === undefined) return
    if (rows.length === 1) decisions.decide(first, asked, onSuccess)
    else decisions.decideMany(rows, asked, onSuccess)
    selectNext(rows)
  }
  /** Stays on the open publication if it is still to be decided, or else opens the one after the decided ones. */
  const selectNext = (decided: readonly ListedPublication[]) => {
    const ids = new Set(decided.map(({ id }) => id))
    setChosen(new Set([...chosen].filter((id) => !ids.has(id))))
    const last = items.findLastIndex(({ id }) => ids.has(id))
    const next = items[last + 1] ?? items.findLast(({ id }) => !ids.has(id))
    wantsFirst.current = next === undefined && (!queue.isReady || queue.total > ids.size)
    goTo((row !== null && !ids.has(row.id) ? row : next)?.id ?? null)
  }
  // Not a row that came back with a conflict: the next key press would decide on it unread.
  const first = items.find(({ id }) => !decisions.conflicts.has(id))?.id
  useEffect(() => {
    if (first === undefined || current !== null) return
    if (wantsFirst.current) goTo(first)
    else if (!isNarrow) preselect(first)
    wantsFirst.current = false
  })
  const close = (rows: readonly ListedPublication[]) => {
    const [first] = rows
    if (first === undefined) return
    if (rows.length === 1) decisions.close(first)
    else decisions.closeMany(rows)
    selectNext(rows)
  }
  const toggle = () => {
    if (row === null) return
    const next = new Set(chosen)
    if (!next.delete(row.id)) next.add(row.id)
    setChosen(next)
  }
  const publish = (rows: readonly ListedPublication[]) => decide(rows, { status: 'published' })
  const askFor = (what: 'rejection' | 'moment', rows: readonly ListedPublication[]) =>
    rows.length > 0 && setAsking({ what, of: rows })
  const correct = () => current !== null && setAsking({ what: 'correction' })
  const showHistory = () => current !== null && setAsking({ what: 'history' })
  const showLatest = () => setAsking({ what: 'latest' })
  const showDuplicates = () => current !== null && void openDuplicates(current)
  const keys: Record<ReviewKind, Shortcut[]> = {
    queue: [
      { key: 'a', label: words('publish'), run: () => publish(targets) },
      { key: 's', label: words('schedule'), run: () => askFor('moment', targets) },
    ],
    reports: [{ key: 'c', label: words('close'), run: () => close(targets) }],
  }
  useShortcuts(title, [
    { key: 'j', label: words('next'), run: () => step(1), repeats: true },
    { key: 'k', label: words('previous'), run: () => step(-1), repeats: true },
    ...keys[kind],
    { key: 'r', label: words('reject'), run: () => askFor('rejection', targets) },
    { key: 'e', label: words('correct'), run: correct },
    { key: 'h', label: words('history'), run: showHistory },
    { key: 'd', label: words('duplicates'), run: showDuplicates },
    { key: 'n', label: words('note'), run: () => note.current?.focus() },
    { key: 'x', label: words('select'), run: toggle },
    { key: 'u', label: words('undo'), run: decisions.undo },
    { key: 'U', label: words('latest'), run: showLatest },
  ])
  const after = items[index + 1]?.id
  useEffect(() => {
    return afterDrawing(() => {
      void client.prefetchQuery(templatesQuery('rejection'))
      // The next publication.
      if (after === undefined) return
      void client.prefetchQuery(publicationQuery(after))
      void client.prefetchQuery(notesQuery('publication', after))
    })
  }, [after, client])

  /** The next rows could not be read: an empty list would say that nothing is left. */
  const isMissingRest = items.length === 0 && queue.total > 0 && queue.error !== null
  return (
    <div className={styles.screen}>
      {/* On a small screen the publication covers the list and its visible title. */}
      <ScreenTitle title={title} />
      <section className={cx(styles.side, current !== null && styles.covered)} aria-label={title}>
        <header className={styles.head}>
          <div className={styles.tabs}>
            <ModerationTabs />
          </div>
          <Soft as="span">
            {hasFilters(filter) &&
              queue.isReady &&
              words('total', { count: queue.total, isMore: String(queue.meta.total_is_at_least) })}
          </Soft>
          <ExportButton
            small
            list="publications"
            query={reviewFilters({ kind, filter })}
            meta={queue.isReady ? queue.meta : undefined}
          />
          <Button small look="quiet" icon="clock" onPress={showLatest}>
            {words('latest')}
          </Button>
          <Button small look="quiet" icon="refresh" onPress={queue.refresh}>
            {words('refresh')}
          </Button>
          <div className={styles.search}>
            <Filters
              search={
                <Search label={words('search')} q={q} onSearch={(next) => narrow({ q: next || undefined })} />
              }
              filters={filters}
              onClear={() => narrow(noFilters)}
              sort={
                kind === 'queue' && (
                  <Button
                    small
                    look={isOldestFirst ? 'primary' : 'plain'}
                    aria-pressed={isOldestFirst}
                    onPress={() => {
                      changeSettings({ oldestFirst: !isOldestFirst })
                      narrow({ sort: isOldestFirst ? 'created_at_desc' : 'created_at_asc' })
                    }}
                  >
                    {words('oldestFirst')}
                  </Button>
                )
              }
            />
            <Suspense>
              <Views
                list={kind}
                read={({ selected: _, ...saved }) => reviewSearch(saved)}
                search={hasFilters(inUrl) ? filter : inUrl}
                onOpen={(view) => {
                  setChosen(new Set())
                  void navigate({ to: '.', search: view })
                }}
              />
            </Suspense>
          </div>
        </header>
        <Arrivals
          count={queue.arrived}
          label={words('arrived', { count: queue.arrived })}
          onShow={queue.refresh}
        />
        {queue.error !== null && <ShownFailure error={queue.error} onRetry={queue.refresh} />}
        {((!queue.isReady && queue.error === null) || queue.isRefilling) && <Skeleton lines={9} />}
        {queue.isReady && !queue.isRefilling && !isMissingRest && (
          <ReviewList
            kind={kind}
            label={title}
            isSearch={hasFilters(filter)}
            items={items}
            current={current}
            selected={chosen}
            conflicts={decisions.conflicts}
            onOpen={show}
            onSelect={setChosen}
            listRef={list}
          />
        )}
        {several.length > 0 && (
          <ChosenBar
            kind={kind}
            count={several.length}
            onAccept={() => (kind === 'queue' ? publish(several) : close(several))}
            onReject={() => askFor('rejection', several)}
          />
        )}
      </section>
      <section className={cx(styles.detail, current === null && styles.absent)} aria-label={words('detail')}>
        {current === null ? (
          <Empty icon="inbox" title={words('nothingOpen')}>
            <p>{words('nothingOpenText')}</p>
            {items.length > 0 && (
              <Button shortcut="j" onPress={() => step(1)}>
                {words('start')}
              </Button>
            )}
          </Empty>
        ) : (
          <Detail
            key={current}
            id={current}
            row={row}
            conflict={decisions.conflicts.get(current) ?? null}
            noteRef={note}
            onCorrect={correct}
            onHistory={showHistory}
            onDuplicates={showDuplicates}
            onBack={() => show(null)}
            actions={
              row !== null && (
                <Actions
                  kind={kind}
                  onPublish={() => publish(opened)}
                  onSchedule={() => askFor('moment', opened)}
                  onReject={() => askFor('rejection', opened)}
                  onCorrect={correct}
                  onClose={() => close(opened)}
                />
              )
            }
          />
        )}
      </section>
      {asking?.what === 'moment' && (
        <Schedule
          count={asking.of.length}
          onClose={() => setAsking(null)}
          onSchedule={(at) => decide(asking.of, { status: 'approved', at })}
        />
      )}
      {asking?.what === 'rejection' && (
        <ReasonDialog
          kind="rejection"
          title={words('rejectTitle', { count: asking.of.length })}
          ids={asking.of.map(({ id }) => id)}
          onClose={() => setAsking(null)}
          onSend={(reason, onSuccess) => decide(asking.of, { status: 'rejected', reason }, onSuccess)}
        />
      )}
      {asking?.what === 'correction' && current !== null && (
        <Correct recordId={current} onClose={() => setAsking(null)} />
      )}
      {asking?.what === 'history' && current !== null && (
        <History recordId={current} onClose={() => setAsking(null)} />
      )}
      {asking?.what === 'latest' && (
        <LatestDecisions
          onClose={() => setAsking(null)}
          onUndo={({ id, kind, items: decided }) => {
            setAsking(null)
            const ids = decided.map((item) => item.id)
            void decisions.undoById(id, ids, kind !== 'publication')
          }}
        />
      )}
    </div>
  )
}
