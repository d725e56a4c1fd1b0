import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { mappedTargets } from '../../../../src/modules/publications/fields.ts'
import { messageFor } from '../../api/failure.ts'
import { acteurChoices, communeChoices } from '../../shell/choices/choices.ts'
import { PublicationTypeSelect } from '../../shell/choices/publication-type-select.tsx'
import { SearchCombo } from '../../shell/choices/search-combo.tsx'
import { useFieldLabels } from '../../shell/records/publication-fields.ts'
import { Switch } from '../../ui/choice.tsx'
import type { Choice } from '../../ui/combo.tsx'
import { TextField } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { isMapped, type SourceDraft } from './draft.ts'
import styles from './imports.module.css'
import { type Inspection, sourceTypes } from './queries.ts'

type FieldsProps = {
  typed: SourceDraft
  onChange: (changed: Partial<SourceDraft>) => void
  error: unknown
  /** Fields found at the address, which a mapping can name. */
  found: Inspection['fields']
}

/** Settings of a source: what it is, whose publications it makes, and when it is read. */
export function SourceFields({ typed, onChange, error, found }: FieldsProps) {
  const words = useTranslations('imports')
  return (
    <>
      <TextField
        label={words('name')}
        isRequired
        maxLength={200}
        value={typed.nom}
        onChange={(nom) => onChange({ nom })}
        error={messageFor(error, 'nom')}
      />
      <Select
        label={words('typeLabel')}
        value={typed.type}
        onChange={(type) => onChange({ type })}
        options={sourceTypes.map((value) => ({ value, label: words(`type.${value}`) }))}
      />
      {isMapped(typed.type) && (
        <MappingFields typed={typed} onChange={onChange} error={error} found={found} />
      )}
      <SearchCombo<Choice>
        label={words('acteur')}
        help={words('acteurHelp')}
        search={(q) => acteurChoices(q, { active: [true] })}
        chosen={typed.acteur}
        onChoose={(found) => onChange({ acteur: found && { id: found.id, nom: found.nom } })}
        error={messageFor(error, 'acteur_id')}
      />
      <SearchCombo<Choice>
        label={words('commune')}
        help={words('communeHelp')}
        search={communeChoices}
        chosen={typed.commune}
        onChoose={(found) => onChange({ commune: found && { id: found.id, nom: found.nom } })}
        error={messageFor(error, 'commune_id')}
      />
      <PublicationTypeSelect
        label={words('publicationType')}
        value={typed.typeId}
        onChange={(typeId) => onChange({ typeId })}
      />
      <Switch isSelected={typed.publishes} onChange={(publishes) => onChange({ publishes })}>
        {words('publishes')}
      </Switch>
      <p className={styles.soft}>
        {words(typed.publishes ? (typed.acteur === null ? 'publishesNobody' : 'publishesNote') : 'waitsNote')}
      </p>
      <Switch
        isSelected={typed.skipsDuplicates}
        onChange={(skipsDuplicates) => onChange({ skipsDuplicates })}
      >
        {words('skips')}
      </Switch>
      <Schedule cron={typed.cron} onChange={(cron) => onChange({ cron })} error={messageFor(error, 'cron')} />
    </>
  )
}

const targets = ['external_id', ...mappedTargets.map(({ name }) => name)] as const
const required: readonly string[] = ['external_id', 'title', 'body']
const none = '-'

/** Which column or path is which field: chosen among those found, or typed. */
function MappingFields({ typed, onChange, error, found }: FieldsProps) {
  const words = useTranslations('imports')
  const labelOf = useFieldLabels()
  const put = (name: string, value: string) => onChange({ mapping: { ...typed.mapping, [name]: value } })
  const wrong = (name: string) => messageFor(error, `mapping.${name}`)
  return (
    <fieldset className={styles.pairs}>
      <legend className={styles.legend}>{words('mapping')}</legend>
      {targets.map((name) => {
        const label = name === 'external_id' ? words('fields.external_id') : labelOf(name)
        const value = typed.mapping[name] ?? ''
        const isKnown = found.length > 0 && (value === '' || found.some((field) => field.name === value))
        if (!isKnown)
          return (
            <TextField
              key={name}
              label={label}
              isRequired={required.includes(name)}
              value={value}
              onChange={(next) => put(name, next)}
              error={wrong(name)}
            />
          )
        const options = found.map((field) => ({
          value: field.name,
          label: field.example === null ? field.name : `${field.name} : ${field.example.slice(0, 40)}`,
        }))
        return (
          <Select
            key={name}
            label={label}
            value={value === '' ? none : value}
            onChange={(next) => put(name, next === none ? '' : next)}
            options={[{ value: none, label: words('noField') }, ...options]}
          />
        )
      })}
      {typed.type === 'json' && (
        <TextField
          label={words('fields.items')}
          value={typed.mapping.items ?? ''}
          onChange={(next) => put('items', next)}
          error={wrong('items')}
        />
      )}
    </fieldset>
  )
}

const usual = {
  hourly: '0 * * * *',
  sixHours: '0 */6 * * *',
  daily: '0 6 * * *',
  weekly: '0 6 * * 1',
} as const
type Rhythm = keyof typeof usual | 'manual' | 'other'

function Schedule({
  cron,
  onChange,
  error,
}: {
  cron: string
  onChange: (cron: string) => void
  error: string | null
}) {
  const words = useTranslations('imports')
  const [isOther, setOther] = useState(false)
  const known = Object.entries(usual).find(([, value]) => value === cron)?.[0] as Rhythm | undefined
  const rhythm: Rhythm = isOther ? 'other' : cron === '' ? 'manual' : (known ?? 'other')
  const rhythms: Rhythm[] = ['manual', 'hourly', 'sixHours', 'daily', 'weekly', 'other']
  return (
    <>
      <Select<Rhythm>
        label={words('when')}
        value={rhythm}
        options={rhythms.map((value) => ({ value, label: words(`rhythm.${value}`) }))}
        onChange={(next) => {
          setOther(next === 'other')
          if (next !== 'other') onChange(next === 'manual' ? '' : usual[next])
        }}
      />
      {rhythm === 'other' && (
        <TextField
          label={words('cron')}
          help={words('cronHelp')}
          isRequired
          value={cron}
          onChange={onChange}
          error={error}
        />
      )}
    </>
  )
}
