import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { type Subject, subjects } from '../../../../../src/modules/acts/subjects.ts'
import { Checkbox } from '../../../ui/choice.tsx'
import { Combo } from '../../../ui/combo.tsx'
import { DateField } from '../../../ui/date-field.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Fold } from '../../../ui/fold.tsx'
import { Select } from '../../../ui/select.tsx'
import styles from './acts.module.css'
import type { ReadAct } from './queries.ts'
import { type Act, actKinds } from './search.ts'

export type Typed = {
  kind: Act['kind']
  title: string
  number: string
  date: string
  author_first_name: string
  author_name: string
  author_quality: string
  subject: Subject | ''
  individual: boolean
  supersedes: string
  text: string
}

export const typedOf = (act: ReadAct): Typed => ({
  ...{ kind: act.kind, title: act.title, number: act.number ?? '', date: act.date },
  author_first_name: act.author_first_name ?? '',
  author_name: act.author_name ?? '',
  author_quality: act.author_quality ?? '',
  ...{ subject: act.subject ?? '', individual: act.individual, supersedes: act.supersedes ?? '' },
  text: act.text ?? '',
})

/** The values that the text of the PDF says. */
export const proposedOf = (proposal: ReadAct['proposal']): Partial<Typed> =>
  Object.fromEntries(Object.entries(proposal ?? {}).filter(([, value]) => value !== null))

/** Returns the changed fields in the format of the API: an empty one is null, save those that no act lacks. */
export function changesOf(mine: Typed, act: ReadAct): object {
  const before = typedOf(act)
  const changed = Object.entries(mine).filter(([name, value]) => before[name as keyof Typed] !== value)
  return Object.fromEntries(
    changed.map(([name, value]) => [
      name,
      value === '' && name !== 'title' && name !== 'date' ? null : value,
    ]),
  )
}

/** Returns a function that says each field in words, for a conflict. */
export function useActLines() {
  const words = useTranslations('espace.acts')
  return (typed: Typed): [string, string][] => [
    [words('kind'), words(`kinds.${typed.kind}`)],
    ...(['number', 'date', 'author_first_name', 'author_name', 'author_quality'] as const).map(
      (name): [string, string] => [words(name), typed[name]],
    ),
    [words('actTitle'), typed.title],
    [words('subject'), typed.subject === '' ? '' : subjects[typed.subject]],
    [words('individual'), words(typed.individual ? 'yes' : 'no')],
    [words('text'), typed.text],
  ]
}

const maxima = {
  ...{ title: 500, number: 50, author_first_name: 100, author_name: 100, author_quality: 200 },
  text: 50_000,
}

type FieldsProps = {
  typed: Typed
  onChange: (changed: Partial<Typed>) => void
  /** Published acts that this one may correct. */
  correctable: readonly Act[]
  isDateOfToday: boolean
  /** Whether the PDF has no text of its own. */
  isScan: boolean
  wrong: (field: string) => string | null
}

export function ActFields({ typed, onChange, correctable, isDateOfToday, isScan, wrong }: FieldsProps) {
  const words = useTranslations('espace.acts')
  const line = (name: keyof typeof maxima, isRequired: boolean) => ({
    label: words(name === 'title' ? 'actTitle' : name),
    isRequired,
    maxLength: maxima[name],
    value: typed[name],
    onChange: (value: string) => onChange({ [name]: value }),
    error: wrong(name),
  })
  return (
    <>
      <TextField {...line('title', true)} rows={3} help={words('titleHelp')} />
      <div className={styles.pair}>
        <Select
          label={words('kind')}
          value={typed.kind}
          onChange={(kind) => onChange({ kind })}
          options={actKinds.map((value) => ({ value, label: words(`kinds.${value}`) }))}
        />
        <TextField {...line('number', false)} />
      </div>
      <DateField
        isPast
        label={words('date')}
        help={words(isDateOfToday ? 'dateUnsaid' : 'dateHelp')}
        isRequired
        value={typed.date}
        onChange={(date) => onChange({ date })}
        error={wrong('date')}
      />
      <div className={styles.pair}>
        <TextField {...line('author_first_name', true)} />
        <TextField {...line('author_name', true)} />
      </div>
      <TextField {...line('author_quality', true)} help={words('authorHelp')} />
      {isScan && <TextField {...line('text', false)} rows={6} help={words('textHelp')} />}
      <SubjectField value={typed.subject} onChange={(subject) => onChange({ subject })} />
      <Checkbox isSelected={typed.individual} onChange={(individual) => onChange({ individual })}>
        {words('individualChoice')}
      </Checkbox>
      {(correctable.length > 0 || typed.supersedes !== '') && (
        <Fold title={words('corrects')} isOpen={typed.supersedes !== ''}>
          <Select
            label={words('corrected')}
            value={typed.supersedes}
            onChange={(supersedes) => onChange({ supersedes })}
            options={[
              { value: '', label: words('correctsNone') },
              ...correctable.map((act) => ({ value: act.id, label: act.title })),
            ]}
          />
          {wrong('supersedes') && <p className={styles.wrong}>{wrong('supersedes')}</p>}
        </Fold>
      )}
    </>
  )
}

const choices = Object.entries(subjects).map(([id, label]) => ({ id: id as Subject, nom: `${id} ${label}` }))

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

type SubjectProps = { value: Subject | ''; onChange: (subject: Subject | '') => void }

/** Choice of a subject of the national nomenclature, by its code or by letters of its label. */
function SubjectField({ value, onChange }: SubjectProps) {
  const words = useTranslations('espace.acts')
  const chosen = choices.find(({ id }) => id === value) ?? null
  const [typed, setTyped] = useState(chosen?.nom ?? '')
  const isSearch = typed !== '' && typed !== chosen?.nom
  return (
    <Combo
      label={words('subject')}
      help={words('subjectHelp')}
      typed={typed}
      onType={setTyped}
      items={isSearch ? choices.filter(({ nom }) => plain(nom).includes(plain(typed))) : choices}
      chosen={chosen}
      onChoose={(subject) => onChange(subject?.id ?? '')}
    />
  )
}
