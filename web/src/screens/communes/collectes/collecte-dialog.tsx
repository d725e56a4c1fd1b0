import { useTranslations } from 'use-intl'
import { messageFor } from '../../../api/failure.ts'
import { DraftConflict } from '../../../shell/editing/conflict.tsx'
import { usePartDraft } from '../../../shell/editing/part-draft.ts'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox, Segmented } from '../../../ui/choice.tsx'
import { DateField } from '../../../ui/date-field.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { Soft } from '../../../ui/layout.tsx'
import { Select } from '../../../ui/select.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { type EditedCommune, useSaveCommune } from '../editing.ts'
import type { Collecte } from '../queries.ts'
import styles from './collectes.module.css'
import { CollecteDates } from './dates.tsx'
import { useRhythm } from './rhythm.ts'
import { bodyOf, days, everyMonth, fieldsOf, rangs, type ScheduleFields, typedOf } from './schedule.ts'
import { useWaste } from './waste.ts'

type DialogProps = {
  commune: EditedCommune
  collecte: Collecte | null
  /** The values of a new collection that is copied to another secteur. */
  copyOf?: Collecte | null
  onClose: () => void
}

/** Form of a new collecte or an existing one, beside the calendar that the public gets. */
export function CollecteDialog({ commune, collecte, copyOf = null, onClose }: DialogProps) {
  const words = useTranslations('communes')
  const saveCommune = useSaveCommune(commune.id)
  const { inWords } = useWaste()
  const rhythmOf = useRhythm()
  const newest = collecte && (commune.collectes.find(({ id }) => id === collecte.id) ?? null)
  const draft = usePartDraft(
    `commune.${commune.id}.collecte.${collecte?.id ?? (copyOf ? `copy.${copyOf.id}` : 'new')}`,
    copyOf === null ? typedOf(newest) : { ...typedOf(copyOf), secteur: '' },
  )
  const { mine } = draft
  const saving = useSubmit({
    mutationFn: () =>
      saveCommune(({ collectes }) => {
        const at = collecte === null ? -1 : collectes.findIndex(({ id }) => id === collecte.id)
        const found = collectes[at]
        const rows = collectes.map(bodyOf)
        // Removed meanwhile: it is added again, because the user just edited it.
        if (found === undefined) return { collectes: [...rows, fieldsOf(mine)] }
        draft.requireBase(typedOf(found))
        return { collectes: rows.with(at, { id: found.id, ...fieldsOf(mine) }) }
      }),
    onSuccess: () => {
      draft.clear()
      showToast({ title: words('saved') })
      onClose()
    },
  })
  const save = () => {
    if (!draft.isBehind) saving.submit()
  }
  const linesOf = (typed: ScheduleFields) =>
    [
      [words('collectes.libelle'), typed.libelle],
      [words('collectes.type_dechet'), inWords(typed.type_dechet)],
      [words('collectes.secteur'), typed.secteur],
      [words('collectes.mode'), words(`collectes.modes.${typed.mode}`)],
      [words('collectes.rhythm.label'), rhythmOf(typed)],
      [words('collectes.start'), typed.a_partir_du],
      [words('collectes.consignes'), typed.consignes],
      ...typed.dates.map((date) => ['+', date] as const),
      ...typed.exceptions.map(({ date, reportee_au }) => [date, `→ ${reportee_au ?? '×'}`] as const),
    ] as const
  return (
    <Dialog
      full
      title={words(collecte === null ? 'collectes.new' : 'collectes.change')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button
            onPress={() => {
              draft.clear()
              onClose()
            }}
          >
            {words('cancel')}
          </Button>
          <Button look="primary" type="submit" form="collecte" isPending={saving.isPending}>
            {words('save')}
          </Button>
        </>
      }
    >
      <div className={styles.editor}>
        <Form isSaving={saving.isPending} id="collecte" className={styles.form} onSubmit={save}>
          {saving.isError && <ShownFailure error={saving.error} />}
          <DraftConflict draft={draft} linesOf={linesOf} />
          <Fields typed={mine} error={saving.error} onChange={draft.put} />
        </Form>
        <CollecteDates communeId={commune.id} typed={mine} onChange={draft.put} />
      </div>
    </Dialog>
  )
}

type FieldsProps = {
  typed: ScheduleFields
  error: unknown
  onChange: (changed: Partial<ScheduleFields>) => void
}

function Fields({ typed, error, onChange }: FieldsProps) {
  const words = useTranslations('communes.collectes')
  const { inWords, kindOf } = useWaste()
  const wrong = (name: string) => messageFor(error, (field) => field.endsWith(`.${name}`))
  const needsStart = typed.toutes_les_semaines > 1 && typed.jours.length > 0 && typed.a_partir_du === ''
  return (
    <>
      <TextField
        label={words('libelle')}
        isRequired
        autoFocus
        value={typed.libelle}
        onChange={(libelle) => onChange({ libelle })}
        error={wrong('libelle')}
      />
      <TextField
        label={words('type_dechet')}
        help={words('typeHelp')}
        isRequired
        value={inWords(typed.type_dechet)}
        onChange={(text) => onChange({ type_dechet: kindOf(text) })}
        error={wrong('type_dechet')}
      />
      <TextField
        label={words('secteur')}
        value={typed.secteur}
        onChange={(secteur) => onChange({ secteur })}
        error={wrong('secteur')}
      />
      <Segmented
        label={words('mode')}
        value={typed.mode}
        onChange={(mode) => onChange({ mode })}
        options={(['porte_a_porte', 'apport_volontaire'] as const).map((value) => ({
          value,
          label: words(`modes.${value}`),
        }))}
      />
      <Segmented
        label={words('rhythm.label')}
        value={typed.rang === null ? 'weeks' : 'months'}
        onChange={(unit) => onChange(unit === 'weeks' ? { rang: null } : everyMonth(typed))}
        options={(['weeks', 'months'] as const).map((value) => ({
          value,
          label: words(`rhythm.units.${value}`),
        }))}
      />
      {typed.rang === null ? (
        <Weeks typed={typed} error={error} onChange={onChange} />
      ) : (
        <OnceAMonth typed={typed} onChange={onChange} />
      )}
      <DateField
        label={words('start')}
        help={words(typed.rang === null ? 'startHelp' : 'startOfMonths')}
        isRequired={typed.toutes_les_semaines > 1}
        value={typed.a_partir_du}
        onChange={(a_partir_du) => onChange({ a_partir_du })}
        error={needsStart ? words('startNeeded') : wrong('a_partir_du')}
      />
      <TextField
        label={words('consignes')}
        rows={2}
        value={typed.consignes}
        onChange={(consignes) => onChange({ consignes })}
        error={wrong('consignes')}
      />
    </>
  )
}

function Weeks({ typed, error, onChange }: FieldsProps) {
  const words = useTranslations('communes.collectes')
  return (
    <>
      <fieldset className={styles.days}>
        <legend className={styles.legend}>{words('jours')}</legend>
        {days.map((day) => (
          <Checkbox
            key={day}
            isSelected={typed.jours.includes(day)}
            onChange={(isOn) =>
              onChange({ jours: days.filter((one) => (one === day ? isOn : typed.jours.includes(one))) })
            }
          >
            {words(`days.${day}`)}
          </Checkbox>
        ))}
      </fieldset>
      <TextField
        label={words('every')}
        help={words('everyHelp')}
        type="number"
        isRequired
        value={typed.toutes_les_semaines === 0 ? '' : String(typed.toutes_les_semaines)}
        onChange={(text) => onChange({ toutes_les_semaines: Math.trunc(Number(text)) || 0 })}
        error={messageFor(error, (field) => field.endsWith('.toutes_les_semaines'))}
      />
    </>
  )
}

function OnceAMonth({ typed, onChange }: Omit<FieldsProps, 'error'>) {
  const words = useTranslations('communes.collectes')
  const rhythmOf = useRhythm()
  return (
    <div className={styles.month}>
      <div className={styles.move}>
        <Select
          label={words('rhythm.rang')}
          value={`${typed.rang ?? 1}` as const}
          onChange={(chosen) => onChange({ rang: rangs.find((rang) => String(rang) === chosen) ?? 1 })}
          options={rangs.map((rang) => ({ value: `${rang}` as const, label: words(`rhythm.rangs.${rang}`) }))}
        />
        <Select
          label={words('rhythm.day')}
          value={typed.jours[0] ?? 'lundi'}
          onChange={(day) => onChange({ jours: [day] })}
          options={days.map((value) => ({ value, label: words(`days.${value}`) }))}
        />
      </div>
      <Soft>{words('rhythm.twice', { rhythm: rhythmOf(typed) })}</Soft>
    </div>
  )
}
