import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ReasonDialog } from '../../../shell/deciding/reason-dialog.tsx'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { type Shortcut, useShortcuts } from '../../../shell/navigation/shortcuts.tsx'
import { RecordHistory } from '../../../shell/records/record-history.tsx'
import { useFailureToast } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { ScreenTitle } from '../../../ui/page.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useDecisions } from '../deciding/decisions.ts'
import { Schedule } from '../deciding/schedule.tsx'
import { Detail } from '../detail/detail.tsx'
import { useShowDuplicates } from '../duplicates/show.ts'
import { History } from '../history/history.tsx'
import { deleteMany, featureMany, pin, publicationQuery, restoreMany } from '../queries.ts'
import { Correct } from '../writing/correct.tsx'
import { Feature } from './feature.tsx'
import styles from './list.module.css'
import { latestSearch } from './search.ts'

const route = getRouteApi('/signed-in/publications/$id')
const signedIn = getRouteApi('/signed-in')

/** Screen of a single publication, with all actions that are currently possible. */
export function PublicationScreen() {
  const words = useTranslations('publications')
  const common = useTranslations('queue')
  const { id } = route.useParams()
  const navigate = useNavigate()
  const openDuplicates = useShowDuplicates()
  const showDuplicates = () => void openDuplicates(id)
  const note = useRef<HTMLInputElement | HTMLTextAreaElement>(null)
  const [asking, setAsking] = useState<
    'rejection' | 'moment' | 'correction' | 'history' | 'featuring' | null
  >(null)
  const { me } = signedIn.useRouteContext()
  const client = useQueryClient()
  const showFailure = useFailureToast()
  const { data: publication } = useQuery(publicationQuery(id))
  const decisions = useDecisions({
    onUndone: () => {},
    onReview: () => {},
    onNothingToUndo: () => {},
    reloads: true,
  })
  const done = (what: 'deleted' | 'restored' | 'featured' | 'unfeatured') =>
    words(`done.${what}`, { titre: publication?.titre ?? '' })
  const pinning = useSubmit({
    mutationFn: async () => publication && pin(publication, !publication.epingle),
    onSuccess: (changed) => {
      if (changed === undefined) return
      showToast({ title: words(changed.epingle ? 'done.pinned' : 'done.unpinned', { titre: changed.titre }) })
      void client.invalidateQueries({ queryKey: ['publications'] })
      void client.refetchQueries(publicationQuery(id))
    },
    onError: (error) => showFailure(words('notPinned'), error),
  })
  const actions: (Omit<Shortcut, 'key'> & { key?: string; look?: 'primary' })[] = []
  if (publication?.deleted_at) {
    const rows = [publication]
    actions.push({
      label: words('restore'),
      run: () => decisions.change(rows, () => restoreMany(rows), done('restored')),
    })
  } else if (publication) {
    const rows = [publication]
    const { moderation_status, en_avant, publie_le } = publication
    if (moderation_status !== 'published')
      actions.push({
        key: 'a',
        look: 'primary',
        label: common('publish'),
        run: () => decisions.decide(publication, { status: 'published' }),
      })
    if (publie_le === null || new Date(publie_le) > new Date())
      actions.push({ key: 's', label: common('schedule'), run: () => setAsking('moment') })
    if (moderation_status !== 'rejected')
      actions.push({ key: 'r', label: common('reject'), run: () => setAsking('rejection') })
    actions.push({ key: 'e', label: common('correct'), run: () => setAsking('correction') })
    actions.push({
      label: words(en_avant ? 'unfeature' : 'feature'),
      run: () =>
        en_avant
          ? decisions.change(rows, () => featureMany(rows, false), done('unfeatured'))
          : setAsking('featuring'),
    })
    if (publication.acteur_id !== null && me.areas.includes('users'))
      actions.push({ label: words(publication.epingle ? 'unpin' : 'pin'), run: pinning.submit })
    actions.push({
      label: words('delete'),
      run: () => decisions.change(rows, () => deleteMany(rows), done('deleted')),
    })
  }
  useShortcuts(common('detail'), [
    ...actions.flatMap(({ key, label, run }) => (key === undefined ? [] : [{ key, label, run }])),
    { key: 'h', label: common('history'), run: () => setAsking('history') },
    { key: 'd', label: common('duplicates'), run: showDuplicates },
    { key: 'n', label: common('note'), run: () => note.current?.focus() },
    { key: 'u', label: common('undo'), run: decisions.undo },
  ])
  return (
    <div className={styles.one}>
      <ScreenTitle title={publication?.titre ?? common('detail')} />
      <Detail
        id={id}
        row={null}
        conflict={decisions.conflicts.get(id) ?? null}
        noteRef={note}
        onCorrect={() => setAsking('correction')}
        onHistory={() => setAsking('history')}
        onDuplicates={showDuplicates}
        backTo={words('title')}
        onBack={() => void navigate({ to: '/publications', search: latestSearch.value })}
        history={<RecordHistory kind="publication" id={id} />}
        actions={actions.map(({ key, label, look, run }) => (
          <Button key={label} shortcut={key} onPress={run} {...(look && { look })}>
            {label}
          </Button>
        ))}
      />
      {asking === 'correction' && publication && <Correct recordId={id} onClose={() => setAsking(null)} />}
      {asking === 'history' && <History recordId={id} onClose={() => setAsking(null)} />}
      {asking === 'featuring' && publication && (
        <Feature
          onClose={() => setAsking(null)}
          onFeature={(until) =>
            decisions.change([publication], () => featureMany([publication], true, until), done('featured'))
          }
        />
      )}
      {asking === 'moment' && publication && (
        <Schedule
          count={1}
          onClose={() => setAsking(null)}
          onSchedule={(at) => decisions.decide(publication, { status: 'approved', at })}
        />
      )}
      {asking === 'rejection' && publication && (
        <ReasonDialog
          kind="rejection"
          title={common('rejectTitle', { count: 1 })}
          note={publication.hidden_because.length === 0 ? words('willVanish') : undefined}
          ids={[id]}
          onClose={() => setAsking(null)}
          onSend={(reason, onSuccess) =>
            decisions.decide(publication, { status: 'rejected', reason }, onSuccess)
          }
        />
      )}
    </div>
  )
}
