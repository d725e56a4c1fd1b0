import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { Button } from '../../../../ui/button.tsx'
import { DateField } from '../../../../ui/date-field.tsx'
import { TextField } from '../../../../ui/field.tsx'
import { Row } from '../../../../ui/layout.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { Select } from '../../../../ui/select.tsx'
import { dayInWords } from '../../../communes/collectes/days.ts'
import { useWaste, wasteKinds } from '../../../communes/collectes/waste.ts'
import { type Filled, type HolidayWay, holidayWays } from './grid.ts'

type AddProps = { isTaken: (name: string) => boolean; onAdd: (one: Filled) => void }

/** Adds a collection to the calendar: its kind of waste, and its name. */
export function AddCollecte({ isTaken, onAdd }: AddProps) {
  const words = useTranslations('espace.collectes.fill')
  const { inWords } = useWaste()
  const [kind, setKind] = useState<string>('ordures_menageres')
  const [typed, setTyped] = useState('')
  const isOther = kind === 'other'
  const name = typed.trim() || (isOther ? '' : inWords(kind))
  const add = () => {
    onAdd({
      libelle: name,
      type_dechet: isOther ? [...name].slice(0, 50).join('') : kind,
      dates: [],
      settled: [],
    })
    setTyped('')
  }
  return (
    <>
      <Select
        label={words('kind')}
        value={kind}
        onChange={setKind}
        options={[
          ...wasteKinds.map((value) => ({ value: value as string, label: inWords(value) })),
          { value: 'other', label: words('otherKind') },
        ]}
      />
      <TextField
        label={words('name')}
        help={words('nameHelp')}
        isRequired={isOther}
        maxLength={200}
        value={typed}
        onChange={setTyped}
        error={isTaken(name) ? words('nameTaken') : null}
      />
      <Row>
        <Button isDisabled={name === '' || isTaken(name)} onPress={add}>
          {words('add')}
        </Button>
      </Row>
    </>
  )
}

const rhythms = ['each', 'second', 'third', 'fourth'] as const

type RepeatProps = { at: string; onMove: (day: string) => void; onRepeat: (weeks: number) => void }

/** Ticks a day and every so many weeks later one more: "un mardi sur deux". */
export function Repeat({ at, onMove, onRepeat }: RepeatProps) {
  const words = useTranslations('espace.collectes.fill')
  const language = useLocale()
  const [rhythm, setRhythm] = useState<(typeof rhythms)[number]>('second')
  const day = at === '' ? '' : dayInWords(at, language, { weekday: 'long' })
  return (
    <>
      <DateField label={words('start')} isRequired value={at} onChange={onMove} />
      <Select
        label={words('rhythm')}
        value={rhythm}
        onChange={setRhythm}
        options={rhythms.map((value) => ({ value, label: words(`every.${value}`, { day }) }))}
      />
      <Row>
        <Button isDisabled={at === ''} onPress={() => onRepeat(rhythms.indexOf(rhythm) + 1)}>
          {words('repeat')}
        </Button>
      </Row>
    </>
  )
}

type HolidaysProps = { open: readonly string[]; onDecide: (way: HolidayWay) => void }

/** The public holidays on which the collection falls: moved to the next working day, dropped, or kept. */
export function OnHolidays({ open, onDecide }: HolidaysProps) {
  const words = useTranslations('espace.collectes.fill')
  const language = useLocale()
  if (open.length === 0) return null
  const names = open.map((date) => dayInWords(date, language, { day: 'numeric', month: 'long' })).join(', ')
  return (
    <Notice tone="warn" title={words('holidays', { count: open.length })}>
      <p>{names}</p>
      <Row>
        {holidayWays.map((way) => (
          <Button key={way} small onPress={() => onDecide(way)}>
            {words(`ways.${way}`)}
          </Button>
        ))}
      </Row>
    </Notice>
  )
}
