import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { QueryState } from '../../../shell/query-state.tsx'
import { ScreenLink } from '../../../shell/records/links.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Row, Soft } from '../../../ui/layout.tsx'
import { Lines, OneLine } from '../../../ui/lines.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Page, Section } from '../../../ui/page.tsx'
import { bodyOf, type OwnActeur } from '../rights.ts'
import { CalendarOfCommune, tones } from './calendar-of-commune.tsx'
import { type Import, importQuery, type PlannedCommune } from './queries.ts'
import { useCarryOut } from './use-carry-out.ts'

type CheckedProps = { acteur: OwnActeur; importId: string }

/** What an import would do, or has done, commune by commune. */
export function CheckedImport({ acteur, importId }: CheckedProps) {
  const acteurId = acteur.acteur_id
  const words = useTranslations('espace.collectes')
  const found = useQuery(importQuery(acteurId, importId))
  const carrying = useCarryOut(acteurId)
  const one = found.data
  const deed = one?.can[0]
  return (
    <Page
      title={words(one?.state === 'checked' ? 'checkedTitle' : 'importTitle')}
      back={
        <ScreenLink icon="back" to="/espace/$acteurId/collectes" params={{ acteurId }}>
          {words('title', { of: bodyOf(acteur) })}
        </ScreenLink>
      }
      actions={
        one &&
        deed && (
          <Button
            look={deed === 'apply' ? 'primary' : 'plain'}
            isPending={carrying.isPending}
            onPress={() => carrying.submit({ id: importId, deed })}
          >
            {deed === 'apply' ? words('apply', { count: one.to_replace }) : words('undo')}
          </Button>
        )
      }
    >
      <QueryState query={found} lines={8} />
      {one && (
        <>
          <State one={one} />
          <Problems one={one} />
          <Section title={words('communes', { count: one.communes_count })}>
            {one.communes.length === 0 ? (
              <Empty icon="place" title={words('noCommune.title')}>
                <p>{words('noCommune.text')}</p>
              </Empty>
            ) : (
              <Communes acteurId={acteurId} one={one} />
            )}
          </Section>
        </>
      )}
    </Page>
  )
}

function State({ one }: { one: Import }) {
  const words = useTranslations('espace.collectes')
  const kept = one.communes.filter(({ result, undo_result }) => {
    const last = undo_result ?? result
    return last === 'changed_since' || last === 'not_member'
  })
  const names = kept.map(({ nom }) => nom).join(', ')
  return (
    <>
      <Soft>{words(`state.${one.state}`, { count: one.replaced, restored: one.restored })}</Soft>
      {kept.length > 0 && (
        <Notice tone="warn" title={words('kept', { count: kept.length })}>
          <p>{names}</p>
        </Notice>
      )}
    </>
  )
}

const shownProblems = 50

function Problems({ one: { problems, problem_count } }: { one: Import }) {
  const words = useTranslations('espace.collectes')
  if (problem_count === 0) return null
  return (
    <Notice tone="warn" title={words('problems', { count: problem_count })}>
      <p>{words('problemsNote')}</p>
      <ul>
        {problems.slice(0, shownProblems).map(({ row, commune, field, code }) => (
          <li key={`${row} ${field} ${code}`}>
            {words('problem', { row: String(row), commune: commune ?? '', what: words(`codes.${code}`) })}
          </li>
        ))}
      </ul>
      {problem_count > shownProblems && <p>{words('more', { count: problem_count - shownProblems })}</p>}
    </Notice>
  )
}

/** More communes are shown by a button: each has its calendar. */
const step = 50

function Communes({ acteurId, one }: { acteurId: string; one: Import }) {
  const words = useTranslations('espace.collectes')
  const [open, setOpen] = useState<string | null>(null)
  const [shown, setShown] = useState(step)
  const communes = one.communes.toSorted((a, b) => Number(isSame(a)) - Number(isSame(b)))
  return (
    <>
      <Lines label={words('communes', { count: communes.length })}>
        {communes.slice(0, shown).map((commune) => {
          const isOpen = open === commune.commune_id
          return (
            <OneLine
              key={commune.commune_id}
              icon="place"
              title={commune.nom}
              note={<Counts commune={commune} />}
              actions={
                <Button
                  small
                  aria-expanded={isOpen}
                  aria-label={words(isOpen ? 'closeOne' : 'openOne', { nom: commune.nom })}
                  onPress={() => setOpen(isOpen ? null : commune.commune_id)}
                >
                  {words(isOpen ? 'close' : 'open')}
                </Button>
              }
            >
              {isOpen && (
                <CalendarOfCommune acteurId={acteurId} importId={one.id} communeId={commune.commune_id} />
              )}
            </OneLine>
          )
        })}
      </Lines>
      {shown < communes.length && <Button onPress={() => setShown(shown + step)}>{words('showMore')}</Button>}
    </>
  )
}

const isSame = ({ added, removed, changed }: PlannedCommune) => added + removed + changed === 0

function Counts({ commune }: { commune: PlannedCommune }) {
  const words = useTranslations('espace.collectes')
  const last = commune.undo_result ?? commune.result
  return (
    <Row as="span">
      {(['added', 'changed', 'removed', 'unchanged'] as const)
        .filter((change) => commune[change] > 0)
        .map((change) => (
          <Badge key={change} tone={tones[change]}>
            {words(`counts.${change}`, { count: commune[change] })}
          </Badge>
        ))}
      {last !== null && <span>{words(`results.${last}`)}</span>}
    </Row>
  )
}
