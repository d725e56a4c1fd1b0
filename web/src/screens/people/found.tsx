import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { RecordLink } from '../../shell/records/record-link.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { Empty } from '../../ui/empty.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Section } from '../../ui/page.tsx'
import { showToast } from '../../ui/toast.tsx'
import styles from './people.module.css'
import { type FoundPerson, type PersonQuery, requestExport } from './queries.ts'

type FoundProps = {
  person: FoundPerson
  asked: PersonQuery
  also: readonly string[]
  onAlso: (ids: readonly string[]) => void
  onErase: () => void
}

export function Found({ person, asked, also, onAlso, onErase }: FoundProps) {
  const words = useTranslations('people')
  const client = useQueryClient()
  const exporting = useSubmit({
    mutationFn: () => requestExport(asked),
    onSuccess: async () => {
      showToast({ title: words('exporting') })
      await client.invalidateQueries({ queryKey: ['person-exports'] })
    },
  })
  const { places, unsure } = person
  const isNowhere = places.length === 0
  return (
    <>
      {isNowhere ? (
        <Empty icon="search" title={words('nowhere.title')}>
          <p>{words('nowhere.text')}</p>
        </Empty>
      ) : (
        <Section title={words('places')} note={words('placesNote')}>
          <Lines label={words('places')}>
            {places.map(({ name, title, kind, total, is_more, records, erasure }) => (
              <OneLine
                key={name}
                icon={icons[name] ?? 'list'}
                title={title}
                badge={<Badge>{words(is_more ? 'moreThan' : 'count', { count: total })}</Badge>}
                note={erasure}
              >
                {records.length > 0 && <Records kind={kind} records={records} />}
              </OneLine>
            ))}
          </Lines>
        </Section>
      )}
      <Unsure unsure={unsure} also={also} onAlso={onAlso} />
      {(!isNowhere || also.length > 0) && (
        <Row>
          <Button icon="download" isPending={exporting.isPending} onPress={() => exporting.submit()}>
            {words('export')}
          </Button>
          <Button look="danger" onPress={onErase}>
            {words('erase.open')}
          </Button>
        </Row>
      )}
      {exporting.isError && <ShownFailure error={exporting.error} />}
    </>
  )
}

const icons: Readonly<Record<string, IconName>> = {
  users: 'user',
  claims: 'claim',
  publications: 'list',
  threads: 'mail',
  sessions: 'screen',
  passkeys: 'key',
  totp_factors: 'phone',
  recovery_codes: 'key',
  reports: 'flag',
  alertes: 'bell',
  acts: 'history',
  account_history: 'history',
  publication_versions: 'history',
  email_challenges: 'mail',
  digest: 'mail',
  person_exports: 'download',
}

type RecordsProps = Pick<FoundPerson['places'][number], 'kind' | 'records'>

/** Names of records, as links if a screen shows them. */
function Records({ kind, records }: RecordsProps) {
  const words = useTranslations('people')
  return (
    <ul className={styles.records}>
      {records.map((record) => (
        <li key={record.id}>
          <RecordLink entity={kind} id={record.id}>
            {record.label ?? words('unnamed')}
          </RecordLink>
        </li>
      ))}
    </ul>
  )
}

/** Records with the address that may belong to another person; each can be included. */
function Unsure({ unsure, also, onAlso }: Pick<FoundProps, 'also' | 'onAlso'> & Pick<FoundPerson, 'unsure'>) {
  const words = useTranslations('people.unsure')
  if (unsure.users.length === 0 && unsure.records.length === 0) return null
  return (
    <Section title={words('title')} note={words('note')}>
      {unsure.users.length > 0 && (
        <div>
          <p>{words('users')}</p>
          <Records kind="user" records={unsure.users} />
        </div>
      )}
      {unsure.records.map(({ name, title, kind, records }) => (
        <fieldset key={name} className={styles.choices}>
          <legend>{words('include', { title })}</legend>
          {records.map((record) => (
            <div key={record.id} className={styles.choice}>
              <Checkbox
                isSelected={also.includes(record.id)}
                onChange={(isChosen) =>
                  onAlso(isChosen ? [...also, record.id] : also.filter((id) => id !== record.id))
                }
              >
                {record.label ?? record.id}
              </Checkbox>
              {kind === 'claim' && (
                <Link to="/claims/$id" params={{ id: record.id }}>
                  {words('open')}
                </Link>
              )}
            </div>
          ))}
        </fieldset>
      ))}
    </Section>
  )
}
