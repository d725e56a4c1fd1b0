import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useCurrent } from '../../shell/current.ts'
import { ReasonDialog } from '../../shell/deciding/reason-dialog.tsx'
import { useShortcuts } from '../../shell/navigation/shortcuts.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Empty, Skeleton } from '../../ui/empty.tsx'
import { Soft } from '../../ui/layout.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ScreenTitle } from '../../ui/page.tsx'
import { Search } from '../../ui/search.tsx'
import { Schedule } from '../publications/deciding/schedule.tsx'
import { About } from '../publications/detail/about.tsx'
import { Changed } from '../publications/detail/changed.tsx'
import { PublicationView } from '../publications/detail/view.tsx'
import { Actions } from '../publications/review/actions.tsx'
import { ReviewList } from '../publications/review/list.tsx'
import styles from '../publications/review/review.module.css'
import { useActeur } from './acteur.ts'
import { NotAllowed } from './not-allowed.tsx'
import { maySupervise } from './rights.ts'
import { useMairieDecisions } from './supervision.decisions.ts'
import { type Supervised, supervisedQuery } from './supervision.queries.ts'

const route = getRouteApi('/signed-in/espace/$acteurId/supervision')
const none: ReadonlySet<string> = new Set()

/** Pending publications of others in the communes of a mairie, decided on as in the queue, with the same keys. */
export function SupervisionScreen() {
  const acteur = useActeur()
  return maySupervise(acteur) ? <Supervision canPublish={acteur.can_publish} /> : <NotAllowed />
}

function Supervision({ canPublish }: { canPublish: boolean }) {
  const words = useTranslations('queue')
  const own = useTranslations('espace.supervision')
  const { acteurId } = route.useParams()
  const { q = '' } = route.useSearch()
  const navigate = useNavigate()
  const list = useRef<HTMLDivElement>(null)
  const { current, show, goTo } = useCurrent(list)
  const [asking, setAsking] = useState<{ what: 'rejection' | 'moment'; of: Supervised } | null>(null)
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
  const decide: typeof decisions.decide = (of, verdict, onSuccess) => {
    const at = items.findIndex(({ id }) => id === of.id)
    decisions.decide(of, verdict, onSuccess)
    goTo((items[at + 1] ?? items[at - 1])?.id ?? null)
  }
  const mayDecide = row?.may_moderate === true
  const publish = () => row && mayDecide && canPublish && decide(row, { status: 'published' })
  const ask = (what: 'rejection' | 'moment') =>
    row && mayDecide && (what === 'rejection' || canPublish) && setAsking({ what, of: row })
  const title = own('title')
  useShortcuts(title, [
    { key: 'j', label: words('next'), run: () => step(1), repeats: true },
    { key: 'k', label: words('previous'), run: () => step(-1), repeats: true },
    ...(canPublish
      ? [
          { key: 'a', label: words('publish'), run: publish },
          { key: 's', label: words('schedule'), run: () => ask('moment') },
        ]
      : []),
    { key: 'r', label: words('reject'), run: () => ask('rejection') },
    { key: 'u', label: words('undo'), run: decisions.undo },
  ])
  const seen = current === null ? undefined : decisions.conflicts.get(current)
  const waiting = (loaded.data?.meta.total ?? 0) - (loaded.data?.data.length ?? 0) + items.length
  return (
    <div className={styles.screen} data-fills>
      <ScreenTitle title={title} />
      <section className={cx(styles.side, current !== null && styles.covered)} aria-label={title}>
        <header className={styles.head}>
          <span className={styles.title} aria-hidden="true">
            {title}
          </span>
          <Soft as="span">{loaded.data && words('total', { count: waiting })}</Soft>
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
            selected={none}
            conflicts={decisions.conflicts}
            onOpen={show}
            onSelect={() => {}}
            listRef={list}
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
          <PublicationView
            key={current}
            publication={shown}
            actions={
              mayDecide && (
                <Actions
                  kind="queue"
                  onPublish={canPublish ? publish : null}
                  onSchedule={canPublish ? () => ask('moment') : null}
                  onReject={() => ask('rejection')}
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
                {row !== null && !mayDecide && <Notice title={own('kept')} />}
              </>
            }
          >
            {shown && <About publication={shown} />}
          </PublicationView>
        )}
      </section>
      {asking?.what === 'moment' && (
        <Schedule
          count={1}
          onClose={() => setAsking(null)}
          onSchedule={(at) => decide(asking.of, { status: 'approved', at })}
        />
      )}
      {asking?.what === 'rejection' && (
        <ReasonDialog
          kind={null}
          title={words('rejectTitle', { count: 1 })}
          ids={[asking.of.id]}
          onClose={() => setAsking(null)}
          onSend={(reason, onSuccess) =>
            void Promise.resolve(reason).then((text) =>
              decide(asking.of, { status: 'rejected', reason: text }, onSuccess),
            )
          }
        />
      )}
    </div>
  )
}
