import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { acteurFields, type Field } from '../../../../src/modules/acteurs/fields.ts'
import { useShortcuts } from '../../shell/navigation/shortcuts.tsx'
import { QueryState } from '../../shell/query-state.tsx'
import { BackTo } from '../../shell/records/back-to.tsx'
import { Notes } from '../../shell/records/colleagues/notes.tsx'
import { Present } from '../../shell/records/colleagues/present.tsx'
import { PublicSiteLink } from '../../shell/records/public-site.tsx'
import { RecordHistory } from '../../shell/records/record-history.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Row } from '../../ui/layout.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { WebLink } from '../../ui/web-link.tsx'
import styles from './acteurs.module.css'
import { Activity } from './activity.tsx'
import { contactNames, useFieldLabels } from './contact-fields.tsx'
import { Decisions, OtherDecisions } from './decisions.tsx'
import { ActeurForm } from './form.tsx'
import { hoursFrom } from './hours.ts'
import { HoursInWords } from './hours-field.tsx'
import { Marks } from './list.tsx'
import { Members } from './members.tsx'
import { Merge } from './merge.tsx'
import { type Acteur, acteurQuery } from './queries.ts'

const route = getRouteApi('/signed-in/acteurs/$id')

/** Record of an acteur: what it says of itself, decisions about it, its members and its activity. */
export function ActeurScreen() {
  const words = useTranslations('acteurs')
  const { id } = route.useParams()
  const navigate = useNavigate()
  const [asking, setAsking] = useState<'edit' | 'merge' | null>(null)
  const note = useRef<HTMLInputElement | HTMLTextAreaElement>(null)
  const { data: acteur, ...loaded } = useQuery(acteurQuery(id))
  const can = acteur?.can ?? []
  useShortcuts(words('one'), [
    { key: 'e', label: words('edit'), run: () => can.includes('edit') && setAsking('edit') },
    { key: 'n', label: words('note'), run: () => note.current?.focus() },
  ])
  return (
    <Page
      title={acteur?.nom ?? words('one')}
      back={<BackTo to="/acteurs" title={words('title')} />}
      actions={
        acteur && (
          <Row>
            {can.includes('edit') && (
              <Button shortcut="e" icon="edit" onPress={() => setAsking('edit')}>
                {words('edit')}
              </Button>
            )}
            {can.includes('merge') && (
              <Button icon="copies" onPress={() => setAsking('merge')}>
                {words('merge.open')}
              </Button>
            )}
          </Row>
        )
      }
    >
      <QueryState query={loaded} lines={10} />
      {acteur && (
        <>
          <Row>
            <Badge>{words(`types.${acteur.type}`)}</Badge>
            <Marks acteur={acteur} />
            {acteur.active && acteur.valide && <PublicSiteLink kind="acteurs" slug={acteur.slug} />}
          </Row>
          <Present kind="acteur" id={acteur.id} />
          <Decisions acteur={acteur} />
          <Refreshing acteur={acteur} />
          <div className={styles.record}>
            <div className={styles.column}>
              <Identity acteur={acteur} />
              <OtherDecisions acteur={acteur} />
              <Merged acteur={acteur} />
            </div>
            <div className={styles.column}>
              <Members acteur={acteur} />
              <Activity id={acteur.id} />
              <Notes kind="acteur" recordId={acteur.id} fieldRef={note} />
              <RecordHistory kind="acteur" id={acteur.id} />
            </div>
          </div>
        </>
      )}
      {acteur && asking === 'edit' && (
        <ActeurForm acteur={acteur} onClose={() => setAsking(null)} onSaved={() => {}} />
      )}
      {acteur && asking === 'merge' && (
        <Merge
          acteur={acteur}
          onClose={() => setAsking(null)}
          onMerged={(target) => {
            setAsking(null)
            void navigate({ to: '/acteurs/$id', params: { id: target } })
          }}
        />
      )}
    </Page>
  )
}

function Identity({ acteur }: { acteur: Acteur }) {
  const words = useTranslations('acteurs')
  const labelOf = useFieldLabels()
  const { description, horaires, commune, logo } = acteur
  const none = words('notGiven')
  return (
    <Section title={words('identity')}>
      {logo && <img className={styles.logo} src={logo.src[400].webp} alt={words('logo')} />}
      {description && <p className={styles.text}>{description}</p>}
      <Facts
        facts={[
          [words('commune'), commune?.nom ?? none],
          ...contactNames.flatMap((name): [string, ReactNode][] => {
            const { kind } = acteurFields[name] as Field
            const value = acteur[name]
            if (kind === 'prose') return []
            const isLink = kind === 'link' && value !== null
            return [[labelOf(name), isLink ? <WebLink key={name} address={value} /> : (value ?? none)]]
          }),
          [
            words('hours.title'),
            horaires === null ? none : <HoursInWords key="hours" hours={hoursFrom(horaires)} />,
          ],
          [words('created'), <Time key="created" at={acteur.created_at} />],
        ]}
      />
    </Section>
  )
}

/** How far the stored lists have followed the last decision, which readers see already. */
function Refreshing({ acteur: { refreshing } }: { acteur: Acteur }) {
  const words = useTranslations('acteurs.refreshing')
  if (refreshing === null) return null
  const { done, total } = refreshing
  return (
    <div className={styles.refreshing}>
      <progress aria-label={words('progress')} value={done} max={Math.max(1, total)} />
      <p role="status">{words('text', { done, total })}</p>
    </div>
  )
}

/** The acteurs merged into this one, and whether the job has moved all of it. */
function Merged({ acteur: { merged } }: { acteur: Acteur }) {
  const words = useTranslations('acteurs.merge')
  if (merged.length === 0) return null
  return (
    <Section title={words('merged')} note={words('mergedNote')}>
      <div role="status">
        <Lines label={words('merged')}>
          {merged.map(({ id, nom, merged_at, state }) => (
            <OneLine
              key={id}
              icon="copies"
              title={nom}
              badge={<Badge tone={state === 'merged' ? 'good' : 'accent'}>{words(`states.${state}`)}</Badge>}
              note={<Time at={merged_at} />}
            />
          ))}
        </Lines>
      </div>
    </Section>
  )
}
