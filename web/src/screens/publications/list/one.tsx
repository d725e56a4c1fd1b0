import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ReasonDialog } from '../../../shell/deciding/reason-dialog.tsx'
import { useShortcuts } from '../../../shell/navigation/shortcuts.tsx'
import { RecordHistory } from '../../../shell/records/record-history.tsx'
import { Button } from '../../../ui/button.tsx'
import { ScreenTitle } from '../../../ui/page.tsx'
import { useDecisions } from '../deciding/decisions.ts'
import { Schedule } from '../deciding/schedule.tsx'
import { Detail } from '../detail/detail.tsx'
import { useShowDuplicates } from '../duplicates/show.ts'
import { History } from '../history/history.tsx'
import { featureMany, publicationQuery } from '../queries.ts'
import { Correct } from '../writing/correct.tsx'
import { type Dialog, useActions } from './actions.ts'
import { Feature } from './feature.tsx'
import styles from './list.module.css'
import { PublicationReadings } from './readings.tsx'
import { Restrict } from './restrict.tsx'
import { latestSearch } from './search.ts'

const route = getRouteApi('/signed-in/publications/$id')

/** Screen of a single publication, with all actions that are currently possible. */
export function PublicationScreen() {
  const words = useTranslations('publications')
  const common = useTranslations('queue')
  const { id } = route.useParams()
  const navigate = useNavigate()
  const openDuplicates = useShowDuplicates()
  const showDuplicates = () => void openDuplicates(id)
  const note = useRef<HTMLInputElement | HTMLTextAreaElement>(null)
  const [asking, setAsking] = useState<Dialog | null>(null)
  const { data: publication } = useQuery(publicationQuery(id))
  const decisions = useDecisions({
    onUndone: () => {},
    onReview: () => {},
    onNothingToUndo: () => {},
    reloads: true,
  })
  const actions = useActions(publication, decisions, setAsking)
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
        history={
          <>
            {publication && (
              <PublicationReadings id={id} isVisible={publication.hidden_because.length === 0} />
            )}
            <RecordHistory kind="publication" id={id} />
          </>
        }
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
            decisions.change(
              [publication],
              () => featureMany([publication], until),
              words('done.featured', { titre: publication.titre }),
            )
          }
        />
      )}
      {(asking === 'deletion' || asking === 'unfeaturing') && publication && (
        <Restrict what={asking} rows={[publication]} decisions={decisions} onClose={() => setAsking(null)} />
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
          onSend={(reason, onSuccess, ground) =>
            decisions.decide(publication, { status: 'rejected', reason, ground }, onSuccess)
          }
        />
      )}
    </div>
  )
}
