import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { useTranslations } from 'use-intl'
import { Notes } from '../../../shell/records/colleagues/notes.tsx'
import { RecordHistory } from '../../../shell/records/record-history.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Row } from '../../../ui/layout.tsx'
import { Select } from '../../../ui/select.tsx'
import { Ago, Time } from '../../../ui/time.tsx'
import { colleaguesQuery, type ReadThread } from '../queries.ts'
import { flags } from '../search.ts'
import styles from './side.module.css'

type SideProps = {
  thread: ReadThread
  /** The areas that the user opens. */
  areas: readonly string[]
  onBack: () => void
  onAssign: (userId: string | null) => void
  onFlag: (flag: ReadThread['flag']) => void
  noteRef: RefObject<HTMLInputElement | HTMLTextAreaElement | null>
}

/** Who wrote, who handles it, other threads of the address, and notes. */
export function Side({ thread, areas, onBack, onAssign, onFlag, noteRef }: SideProps) {
  const words = useTranslations('messages')
  const { data: colleagues = [] } = useQuery(colleaguesQuery)
  const { assignee_user: assignee, user } = thread
  // Somebody who may no longer open messages may still be named.
  const offered =
    assignee === null || colleagues.some(({ id }) => id === assignee.id)
      ? colleagues
      : [assignee, ...colleagues]
  return (
    <div className={styles.side}>
      <span className={styles.back}>
        <Button look="quiet" small icon="back" onPress={onBack}>
          {words('backToThread')}
        </Button>
      </span>
      <h2 className={styles.title}>{words('details')}</h2>
      <section className={styles.part} aria-labelledby="sender-title">
        <h3 id="sender-title">{words('sender')}</h3>
        <dl className={styles.facts}>
          <dt>{words('name')}</dt>
          <dd>{thread.nom ?? words('unnamed')}</dd>
          <dt>{words('email')}</dt>
          <dd>{thread.email ?? words('erased')}</dd>
          {user !== null && (
            <>
              <dt>{words('account')}</dt>
              <dd>
                {areas.includes('users') ? (
                  <Link to="/users/$userId" params={{ userId: user.id }}>
                    {user.nom ?? words('unnamed')}
                  </Link>
                ) : (
                  (user.nom ?? words('unnamed'))
                )}
              </dd>
            </>
          )}
          <dt>{words('wrote')}</dt>
          <dd>
            <Time at={thread.created_at} />
          </dd>
        </dl>
      </section>
      {thread.about !== null && (
        <section className={styles.part} aria-labelledby="about-title">
          <h3 id="about-title">{words('about.title')}</h3>
          <p>
            <AboutLink about={thread.about} areas={areas} />
          </p>
        </section>
      )}
      <section className={styles.part} aria-label={words('handling')}>
        <Select<string>
          label={words('assignee')}
          value={thread.assignee_id ?? 'none'}
          onChange={(id) => onAssign(id === 'none' ? null : id)}
          options={[
            { value: 'none', label: words('filters.nobody') },
            ...offered.map(({ id, nom }) => ({ value: id, label: nom ?? words('somebody') })),
          ]}
        />
        <Select<string>
          label={words('flag')}
          value={thread.flag ?? 'none'}
          onChange={(flag) => onFlag(flag === 'none' ? null : (flag as ReadThread['flag']))}
          options={[
            { value: 'none', label: words('noFlag') },
            ...flags.map((value) => ({ value: value as string, label: words(`flags.${value}`) })),
          ]}
        />
      </section>
      {thread.others.length > 0 && (
        <section className={styles.part} aria-labelledby="others-title">
          <h3 id="others-title">{words('others')}</h3>
          <ul className={styles.others}>
            {thread.others.map((other) => (
              <li key={other.id} className={styles.other}>
                <Link
                  from="/messages"
                  to="/messages"
                  search={(before) => ({ ...before, selected: other.id, pane: undefined })}
                >
                  {other.subject}
                </Link>
                <Row isSoft as="span">
                  <Badge>{words(`status.${other.status}`)}</Badge> <Ago at={other.last_message_at} />
                </Row>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Notes kind="thread" recordId={thread.id} fieldRef={noteRef} />
      <RecordHistory kind="thread" id={thread.id} />
    </div>
  )
}

type AboutProps = { about: NonNullable<ReadThread['about']>; areas: readonly string[] }

/** The record of the mail whose answer began the thread, as a link for those who open it. */
function AboutLink({ about: { kind, id }, areas }: AboutProps) {
  const words = useTranslations('messages.about')
  const { area, to } = pages[kind]
  if (!areas.includes(area)) return words(kind)
  return (
    <Link to={to} params={{ id, userId: id }}>
      {words(kind)}
    </Link>
  )
}

const pages = {
  acteur: { area: 'acteurs', to: '/acteurs/$id' },
  claim: { area: 'claims', to: '/claims/$id' },
  complaint: { area: 'publications', to: '/complaints/$id' },
  user: { area: 'users', to: '/users/$userId' },
} as const
