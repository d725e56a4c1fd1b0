import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useCurrent } from '../../shell/current.ts'
import { ReasonDialog } from '../../shell/deciding/reason-dialog.tsx'
import { useShortcuts } from '../../shell/navigation/shortcuts.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { cx } from '../../ui/cx.ts'
import { Skeleton } from '../../ui/empty.tsx'
import { Soft } from '../../ui/layout.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ScreenTitle } from '../../ui/page.tsx'
import { Search } from '../../ui/search.tsx'
import { Schedule } from '../publications/deciding/schedule.tsx'
import { About } from '../publications/detail/about.tsx'
import { Changed } from '../publications/detail/changed.tsx'
import { PublicationView } from '../publications/detail/view.tsx'
import { Actions, ChosenBar, NothingOpen } from '../publications/review/actions.tsx'
import { ReviewList } from '../publications/review/list.tsx'
import styles from '../publications/review/review.module.css'
import { useActeur } from './acteur.ts'
import { NotAllowed } from './not-allowed.tsx'
import { maySupervise } from './rights.ts'
import { useMairieDecisions } from './supervision.decisions.ts'
import { type Supervised, supervisedQuery, type Verdict } from './supervision.queries.ts'

const route = getRouteApi('/signed-in/espace/$acteurId/supervision')

/** Pending publications of others in the communes of a mairie, decided on as in the queue, with the same keys. */
export function SupervisionScreen() {
  const acteur = useActeur()
  const { can_publish: canPublish, active: isActive } = acteur
  return maySupervise(acteur) ? <Supervision canPublish={canPublish} isActive={isActive} /> : <NotAllowed />
}

/** Open dialog, with the publications to decide on: the list may change while it is open. */
type Asking = { what: 'rejection' | 'moment'; of: readonly Supervised[] }

function Supervision({ canPublish, isActive }: { canPublish: boolean; isActive: boolean }) {
  const words = useTranslations('queue')
  const own = useTranslations('espace.supervision')
  const { acteurId } = route.useParams()
  const { q = '' } = route.useSearch()
  const list = useRef<HTMLDivElement>(null)
  const { current, show, goTo } = useCurrent(list)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [asking, setAsking] = useState<Asking | null>(null)
  const decisions = useMairieDecisions(acteurId, goTo)
  const loaded = useQuery(supervisedQuery(acteurId, { q }))
  const items = (loaded.data?.data ?? []).filter(decisions.isOpen)
  const index = items.findIndex(({ id }) => id === current)
  // Stays on the screen after a colleague has decided on it.
  const [opened, setOpened] = useState<Supervised | null>(null)
  const row = items[index] ?? null
  useEffect(() => {
    if (row !== null) setOpened(row)
  }, [row])
  const shown = row ?? (opened?.id === current ? opened : null)
  const step = (by: 1 | -1) => goTo((items[index + by] ?? items[index] ?? items[0])?.id ?? null)
  const several = items.filter(({ id }) => chosen.has(id))
  // The buttons beside the open publication decide on it alone, the keys on the selection if there is one.
  const targets = several.length > 0 ? several : row === null ? [] : [row]
  /** Decides on each row in turn, and stays on the open publication if it is still to be decided. */
  const decide = (rows: readonly Supervised[], verdict: Verdict, onSuccess?: () => void) => {
    const ids = new Set(rows.map(({ id }) => id))
    const last = items.findLastIndex(({ id }) => ids.has(id))
    const next = items[last + 1] ?? items.findLast(({ id }) => !ids.has(id))
    for (const of of rows) decisions.decide(of, verdict, onSuccess)
    setChosen(new Set())
    goTo((row !== null && !ids.has(row.id) ? row : next)?.id ?? null)
  }
  const decidable = (rows: readonly Supervised[]) => rows.filter(({ may_moderate }) => may_moderate)
  const mayDecide = row?.may_moderate === true
  const publish = (rows: readonly Supervised[]) =>
    canPublish && decide(decidable(rows), { status: 'published' })
  const ask = (what: 'rejection' | 'moment', rows: readonly Supervised[]) => {
    const of = decidable(rows)
    if (of.length > 0 && (what === 'rejection' || canPublish)) setAsking({ what, of })
  }
  const toggle = () => {
    if (row === null) return
    const next = new Set(chosen)
    if (!next.delete(row.id)) next.add(row.id)
    setChosen(next)
  }
  const title = own('title')
  useShortcuts(title, [
    { key: 'j', label: words('next'), run: () => step(1), repeats: true },
    { key: 'k', label: words('previous'), run: () => step(-1), repeats: true },
    ...(canPublish
      ? [
          { key: 'a', label: words('publish'), run: () => publish(targets) },
          { key: 's', label: words('schedule'), run: () => ask('moment', targets) },
        ]
      : []),
    { key: 'r', label: words('reject'), run: () => ask('rejection', targets) },
    { key: 'x', label: words('select'), run: toggle },
    { key: 'u', label: words('undo'), run: decisions.undo },
  ])
  const seen = current === null ? undefined : decisions.conflicts.get(current)
  return (
    <div className={styles.screen} data-fills>
      <ScreenTitle title={title} />
      <section className={cx(styles.side, current !== null && styles.covered)} aria-label={title}>
        <SupervisionHead q={q} page={loaded.data} left={items.length} />
        {!canPublish && <Notice title={own('notPublishing')} />}
        {loaded.isError && <ShownFailure error={loaded.error} onRetry={() => void loaded.refetch()} />}
        {loaded.isPending && <Skeleton lines={9} />}
        {loaded.data && (
          <ReviewList
            kind="queue"
            label={title}
            isSearch={q !== ''}
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
            kind="queue"
            count={several.length}
            onAccept={canPublish ? () => publish(several) : null}
            onReject={() => ask('rejection', several)}
          />
        )}
      </section>
      <section className={cx(styles.detail, current === null && styles.absent)} aria-label={words('detail')}>
        {current === null ? (
          <NothingOpen isEmpty={items.length === 0} onStart={() => step(1)} />
        ) : (
          <PublicationView
            key={current}
            publication={shown}
            actions={
              mayDecide &&
              row !== null && (
                <Actions
                  kind="queue"
                  onPublish={canPublish ? () => publish([row]) : null}
                  onSchedule={canPublish ? () => ask('moment', [row]) : null}
                  onReject={() => ask('rejection', [row])}
                  onCorrect={null}
                  onClose={() => {}}
                />
              )
            }
            onBack={() => show(null)}
            notices={
              <>
                {seen && <Changed isRefused seen={seen} now={loaded.isFetching ? null : shown} />}
                {shown === null && loaded.isPending && <Skeleton lines={8} />}
                {row === null && loaded.data && <Notice title={own('gone')} />}
                {row !== null && !mayDecide && <Notice title={own(isActive ? 'kept' : 'inactive')} />}
              </>
            }
          >
            {shown && <About publication={shown} />}
          </PublicationView>
        )}
      </section>
      {asking !== null && (
        <DecisionDialog asking={asking} onClose={() => setAsking(null)} onDecide={decide} />
      )}
    </div>
  )
}

type HeadProps = {
  q: string
  page: { data: readonly unknown[]; meta: { total: number; total_is_at_least?: boolean } } | undefined
  /** How many publications of the page are still to be decided. */
  left: number
}

/** Head of the list: how many publications wait, and the search. */
function SupervisionHead({ q, page, left }: HeadProps) {
  const words = useTranslations('queue')
  const own = useTranslations('espace.supervision')
  const navigate = useNavigate()
  return (
    <header className={styles.head}>
      <span className={styles.title} aria-hidden="true">
        {own('title')}
      </span>
      <Soft as="span">
        {page &&
          words('total', {
            count: page.meta.total - page.data.length + left,
            isMore: String(page.meta.total_is_at_least === true),
          })}
      </Soft>
      <div className={styles.search}>
        <Search
          label={words('search')}
          q={q}
          onSearch={(next) =>
            void navigate({ to: '.', search: (before) => ({ ...before, q: next || undefined }) })
          }
        />
      </div>
    </header>
  )
}

type DialogProps = {
  asking: Asking
  onClose: () => void
  onDecide: (rows: readonly Supervised[], verdict: Verdict, onSuccess?: () => void) => void
}

function DecisionDialog({ asking, onClose, onDecide }: DialogProps) {
  const words = useTranslations('queue')
  return (
    <>
      {asking.what === 'moment' && (
        <Schedule
          count={asking.of.length}
          onClose={onClose}
          onSchedule={(at) => onDecide(asking.of, { status: 'approved', at })}
        />
      )}
      {asking.what === 'rejection' && (
        <ReasonDialog
          kind={null}
          title={words('rejectTitle', { count: asking.of.length })}
          ids={asking.of.map(({ id }) => id)}
          onClose={onClose}
          onSend={(reason, onSuccess, ground) =>
            void Promise.resolve(reason).then((text) =>
              onDecide(asking.of, { status: 'rejected', reason: text, ground }, onSuccess),
            )
          }
        />
      )}
    </>
  )
}
