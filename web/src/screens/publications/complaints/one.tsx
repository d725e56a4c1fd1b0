import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useShortcuts } from '../../../shell/navigation/shortcuts.tsx'
import { QueryState } from '../../../shell/query-state.tsx'
import { AnswersByMail } from '../../../shell/records/answers-by-mail.tsx'
import { BackTo } from '../../../shell/records/back-to.tsx'
import { RecordHistory } from '../../../shell/records/record-history.tsx'
import { RecordLink } from '../../../shell/records/record-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Row, Soft } from '../../../ui/layout.tsx'
import { Facts, Page, Section } from '../../../ui/page.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import { Time } from '../../../ui/time.tsx'
import { History } from '../history/history.tsx'
import styles from './complaints.module.css'
import { Decide } from './decide.tsx'
import { complaintQuery, complaintsQuery, type ReadComplaint } from './queries.ts'
import { Age, State, useAbout } from './words.tsx'

const route = getRouteApi('/signed-in/complaints/$id')
const signedIn = getRouteApi('/signed-in')

/** A complaint beside the decision that it is about, the publication at that time, and the form that decides it. */
export function ComplaintScreen() {
  const words = useTranslations('complaints')
  const common = useTranslations('queue')
  const { id } = route.useParams()
  const navigate = route.useNavigate()
  const { me } = signedIn.useRouteContext()
  const [isHistory, setHistory] = useState(false)
  const { data: complaint, ...loaded } = useQuery(complaintQuery(id))
  const next = useNextOpen(id)
  const goOn = () => next !== undefined && void navigate({ params: { id: next } })
  const publicationId = complaint?.publication_id ?? null
  const openHistory = () => publicationId !== null && setHistory(true)
  useShortcuts(words('one'), [
    { key: 'h', label: common('history'), run: openHistory },
    { key: 'j', label: common('next'), run: goOn },
  ])
  return (
    <Page
      title={complaint?.title ?? words('one')}
      back={<BackTo to="/complaints" title={words('title')} />}
      actions={
        complaint && (
          <>
            {publicationId !== null && (
              <Button shortcut="h" onPress={openHistory}>
                {common('history')}
              </Button>
            )}
            {next !== undefined && (
              <Button shortcut="j" onPress={goOn}>
                {common('next')}
              </Button>
            )}
          </>
        )
      }
    >
      <QueryState query={loaded} lines={8} />
      {complaint && (
        <>
          <Row as="p">
            <State complaint={complaint} />
            <Age complaint={complaint} />
            <ToRecord complaint={complaint} />
          </Row>
          <div className={styles.sides}>
            <Decided complaint={complaint} />
            <Objection complaint={complaint} />
          </div>
          {publicationId !== null && <AsDecided complaint={complaint} />}
          {complaint.decision === null ? (
            <Decide key={id} complaint={complaint} />
          ) : (
            <Outcome complaint={complaint} />
          )}
          <AnswersByMail about={id} areas={me.areas} />
          <RecordHistory kind="complaint" id={id} />
          {isHistory && publicationId !== null && (
            <History recordId={publicationId} onClose={() => setHistory(false)} />
          )}
        </>
      )}
    </Page>
  )
}

/** Returns the id of the open complaint after this one, oldest first; the oldest if this one is decided. */
function useNextOpen(id: string): string | undefined {
  const { data } = useQuery(complaintsQuery({}))
  const open = data?.data ?? []
  return open[open.findIndex((complaint) => complaint.id === id) + 1]?.id
}

function useNames() {
  const words = useTranslations('complaints')
  const common = useTranslations('queue')
  const { me } = signedIn.useRouteContext()
  return (id: string | null, user: { nom: string | null } | null) =>
    id === me.id ? common('yourself') : (user?.nom ?? words('unnamed'))
}

type SideProps = { complaint: ReadComplaint }

/** Links to the publication, or to the acteur for those who open it. */
function ToRecord({ complaint: { publication_id, acteur_id } }: SideProps) {
  const words = useTranslations('complaints')
  const { me } = signedIn.useRouteContext()
  if (publication_id !== null)
    return (
      <RecordLink entity="publication" id={publication_id}>
        {words('openPublication')}
      </RecordLink>
    )
  return acteur_id !== null && me.areas.includes('acteurs') ? (
    <RecordLink entity="acteur" id={acteur_id}>
      {words('openActeur')}
    </RecordLink>
  ) : null
}

/** The statement of reasons, or what became of a report. */
function Decided({ complaint }: SideProps) {
  const words = useTranslations('complaints')
  const { decidedOf } = useAbout()
  const nameOf = useNames()
  const { ground, reason, decided_against_by: by, decided_against_by_user: user, holds } = complaint
  return (
    <Section title={words('contested')}>
      <Facts
        facts={[
          [words('decision'), decidedOf(complaint)],
          [words('decidedBy'), by === null ? words('rule') : nameOf(by, user)],
          [words('at'), <Time key="at" at={complaint.decided_against_at} />],
        ]}
      />
      {ground && (
        <p>
          <strong>{ground.label}</strong>. {ground.text} {ground.reference}
        </p>
      )}
      {complaint.about === 'statement' &&
        (reason === null ? <Soft>{words('noReason')}</Soft> : <p className={styles.text}>{reason}</p>)}
      {complaint.decision === null && !holds && <p>{words('doesNotHold')}</p>}
    </Section>
  )
}

function Objection({ complaint }: SideProps) {
  const words = useTranslations('complaints')
  const { whoOf } = useAbout()
  return (
    <Section title={words('objection')}>
      <Facts
        facts={[
          [words('who'), whoOf(complaint)],
          [words('at'), <Time key="at" at={complaint.created_at} />],
        ]}
      />
      <p className={styles.text}>{complaint.text}</p>
    </Section>
  )
}

function AsDecided({ complaint: { as_decided, about } }: SideProps) {
  const words = useTranslations('complaints')
  return (
    <Section title={words(about === 'report' ? 'asReported' : 'asDecided')}>
      {as_decided ? (
        <div className={styles.record}>
          <strong>{as_decided.title}</strong>
          <RichText html={as_decided.body} />
        </div>
      ) : (
        <Soft>{words('notKept')}</Soft>
      )}
    </Section>
  )
}

function Outcome({ complaint }: SideProps) {
  const words = useTranslations('complaints')
  const nameOf = useNames()
  const { decision, effect, answer, decided_as, decided_by, decided_by_user, decided_at } = complaint
  return (
    <Section title={words('outcome')}>
      <p>
        {words(`states.${decision ?? 'open'}`)}. {effect && words(`effects.${effect}`)}
      </p>
      <Facts
        facts={[
          [words('decidedBy'), nameOf(decided_by, decided_by_user)],
          ...(decided_at ? [[words('at'), <Time key="at" at={decided_at} />] as const] : []),
        ]}
      />
      {answer ? <p className={styles.text}>{answer}</p> : <Soft>{words('noAnswer')}</Soft>}
      {decided_as === 'administrator' && <p>{words('alone')}</p>}
    </Section>
  )
}
