import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { usePartDraft } from '../../../../shell/editing/part-draft.ts'
import { ScreenLink } from '../../../../shell/records/links.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Segmented } from '../../../../ui/choice.tsx'
import { Row, Soft } from '../../../../ui/layout.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { Page, Section } from '../../../../ui/page.tsx'
import { dayInWords, monthOf, todayInParis } from '../../../communes/collectes/days.ts'
import { PasteDates } from '../../../communes/collectes/paste-dates.tsx'
import { bodyOf, type OwnActeur } from '../../rights.ts'
import { CheckFailure, OfCalendar } from '../of-calendar.tsx'
import { membersQuery } from '../queries.ts'
import { useChecking } from '../use-checking.ts'
import {
  activeOf,
  decided,
  departementOf,
  draftOf,
  emptyGrid,
  type Filled,
  fileOf,
  firstDay,
  type Grid,
  hasName,
  holidaysOf,
  lastDay,
  openHolidays,
  repeated,
  toggled,
  withActive,
  withCollecte,
  withoutCollecte,
} from './grid.ts'
import { AddCollecte, OnHolidays, Repeat } from './tools.tsx'
import { YearGrid, YearLegend } from './year-grid.tsx'

/** A calendar that is filled in by hand, day by day or by a rhythm, then checked as a file is. */
export function FillCollectes({ acteur }: { acteur: OwnActeur }) {
  const words = useTranslations('espace.collectes')
  const acteurId = acteur.acteur_id
  const [empty] = useState(() => emptyGrid(todayInParis()))
  const draft = usePartDraft<Grid>(draftOf(acteurId), empty)
  const grid = draft.mine
  const [past, setPast] = useState<Grid[]>([])
  const checking = useChecking(acteurId)
  const active = activeOf(grid)
  const change = (next: Grid) => {
    setPast((steps) => [...steps.slice(-99), grid])
    draft.change(next)
  }
  const back = () => {
    const last = past.at(-1)
    if (last === undefined) return
    setPast(past.slice(0, -1))
    draft.change(last)
  }
  const isFilled = grid.collectes.length > 0 && grid.collectes.every(({ dates }) => dates.length > 0)
  return (
    <Page
      title={words('fill.title')}
      back={
        <ScreenLink icon="back" to="/espace/$acteurId/collectes" params={{ acteurId }}>
          {words('title', { of: bodyOf(acteur) })}
        </ScreenLink>
      }
      actions={
        <>
          <Button isDisabled={past.length === 0} onPress={back}>
            {words('fill.undo')}
          </Button>
          <Button isDisabled={grid.collectes.length === 0} onPress={() => change(empty)}>
            {words('fill.clear')}
          </Button>
        </>
      }
    >
      {grid.read && <ReadNotice {...grid.read} />}
      <Section title={words('fill.collectes')} note={words('fill.note')}>
        {active && (
          <>
            <Segmented
              label={words('fill.active')}
              value={active.libelle}
              onChange={(name) => draft.put({ active: name })}
              options={grid.collectes.map(({ libelle, dates }) => ({
                value: libelle,
                label: words('fill.option', { libelle, count: dates.length }),
              }))}
            />
            <Row>
              <Button small onPress={() => change(withoutCollecte(grid, active.libelle))}>
                {words('fill.remove', { libelle: active.libelle })}
              </Button>
            </Row>
          </>
        )}
        <AddCollecte
          isTaken={(name) => hasName(grid, name)}
          onAdd={(one) => change(withCollecte(grid, one))}
        />
      </Section>
      {active && <Days acteurId={acteurId} grid={grid} active={active} onChange={change} />}
      {isFilled && (
        <Section title={words('fill.send')} note={words('fill.sendNote')}>
          <OfCalendar
            acteur={acteur}
            isPending={checking.isPending}
            keepsOthers
            onCheck={(given) => checking.check({ file: fileOf(grid), ...given })}
          />
          <CheckFailure error={checking.error} />
        </Section>
      )}
    </Page>
  )
}

/** Says from which file the calendar is, and what to look at. */
function ReadNotice({ name, notes }: NonNullable<Grid['read']>) {
  const words = useTranslations('espace.collectes.pdf')
  return (
    <Notice tone={notes.length > 0 ? 'warn' : 'info'} title={words('read', { name })}>
      <p>{words('confirm')}</p>
      {notes.length > 0 && (
        <ul>
          {notes.map((note) => (
            <li key={note}>{words(`notes.${note}`)}</li>
          ))}
        </ul>
      )}
    </Notice>
  )
}

type DaysProps = { acteurId: string; grid: Grid; active: Filled; onChange: (next: Grid) => void }

function Days({ acteurId, grid, active, onChange }: DaysProps) {
  const words = useTranslations('espace.collectes.fill')
  const language = useLocale()
  const { from } = grid
  const today = todayInParis()
  const [given, setAt] = useState(today)
  const [first, last] = [firstDay(from), lastDay(from)]
  const at = given >= first && given <= last ? given : first
  const members = useQuery(membersQuery(acteurId, 1))
  const departements = new Set(members.data?.data.map(({ code_insee }) => departementOf(code_insee)) ?? [''])
  const holidays = holidaysOf(from, departements)
  const inWords = (day: string) => dayInWords(day, language, { month: 'long', year: 'numeric' })
  const starts = [...new Set([monthOf(today), `${Number(today.slice(0, 4)) + 1}-01`, from])].sort()
  const put = (dates: string[]) => onChange(withActive(grid, () => ({ dates })))
  const outside = active.dates.filter((date) => date < first || date > last).length
  return (
    <Section title={words('days', { libelle: active.libelle })} note={words('daysNote')}>
      <Segmented
        label={words('months')}
        value={from}
        onChange={(month) => onChange({ ...grid, from: month })}
        options={starts.map((month) => ({
          value: month,
          label: words('fromTo', { from: inWords(firstDay(month)), to: inWords(lastDay(month)) }),
        }))}
      />
      <Repeat
        at={given === '' ? '' : at}
        onMove={setAt}
        onRepeat={(weeks) => put(repeated(active.dates, at, weeks, last))}
      />
      <PasteDates typed={active} onChange={({ dates }) => put(dates)} />
      <OnHolidays
        open={openHolidays(active, holidays)}
        onDecide={(way) => onChange(withActive(grid, (one) => decided(one, way, holidays)))}
      />
      <Soft role="status">{words('ticked', { count: active.dates.length, outside })}</Soft>
      <YearLegend />
      <YearGrid
        from={from}
        at={at}
        chosen={new Set(active.dates)}
        others={othersOf(grid, active)}
        holidays={holidays}
        onMove={setAt}
        onToggle={(day) => {
          setAt(day)
          put(toggled(active.dates, day))
        }}
      />
    </Section>
  )
}

function othersOf({ collectes }: Grid, active: Filled): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (const { libelle, dates } of collectes.filter((one) => one !== active))
    for (const date of dates) names.set(date, [...(names.get(date) ?? []), libelle])
  return names
}
