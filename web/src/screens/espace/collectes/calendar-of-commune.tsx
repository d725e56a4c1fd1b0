import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { QueryState } from '../../../shell/query-state.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Soft } from '../../../ui/layout.tsx'
import styles from './months.module.css'
import { Months, MonthsLegend } from './months.tsx'
import { type CalendarOf, calendarQuery } from './queries.ts'

export const tones = { added: 'good', removed: 'bad', changed: 'warn', unchanged: 'plain' } as const

type CalendarProps = { acteurId: string; importId: string; communeId: string }

/** The collections of a commune, before and after an import, each with its twelve months. */
export function CalendarOfCommune({ acteurId, importId, communeId }: CalendarProps) {
  const calendar = useQuery(calendarQuery(acteurId, importId, communeId))
  const first = calendar.data?.collectes.find(({ change }) => change !== 'unchanged')
  return (
    <>
      <QueryState query={calendar} lines={4} />
      {calendar.data && (
        <>
          <MonthsLegend />
          {calendar.data.collectes.map((collecte) => (
            <Collecte
              key={collecte.id}
              collecte={collecte}
              from={calendar.data.du}
              isOpen={collecte.id === first?.id}
            />
          ))}
        </>
      )}
    </>
  )
}

type CollecteProps = { collecte: CalendarOf; from: string; isOpen: boolean }

function Collecte({ collecte: { libelle, secteur, change, fields, jours }, from, isOpen }: CollecteProps) {
  const words = useTranslations('espace.collectes')
  const count = (which: string) => jours.filter((day) => day.change === which).length
  const known = fields.filter((field): field is Field => field in fieldKeys)
  return (
    <details className={styles.collecte} open={isOpen}>
      <summary>
        <strong>{libelle}</strong> {secteur && `· ${secteur} `}
        <Badge tone={tones[change]}>{words(`changes.${change}`)}</Badge>
      </summary>
      <Soft>
        {words('dates', { added: count('added'), removed: count('removed'), same: count('same') })}
        {known.length > 0 && ` · ${known.map((field) => words(`fields.${field}`)).join(', ')}`}
      </Soft>
      {jours.length > 0 && <Months from={from} days={jours} />}
    </details>
  )
}

/** What has words. */
const fieldKeys = {
  ...{ type_dechet: 1, libelle: 1, secteur: 1, mode: 1, jours: 1, toutes_les_semaines: 1, rang: 1 },
  ...{ a_partir_du: 1, dates: 1, exceptions: 1, consignes: 1 },
}
type Field = keyof typeof fieldKeys
