import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { DraftConflict } from '../../shell/editing/conflict.tsx'
import { usePartDraft } from '../../shell/editing/part-draft.ts'
import { saveNewest } from '../../shell/editing/save.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Segmented } from '../../ui/choice.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Row } from '../../ui/layout.tsx'
import { Section } from '../../ui/page.tsx'
import { showToast } from '../../ui/toast.tsx'
import styles from './defibrillateurs.module.css'
import { type DeviceRecord, deviceQuery, updateStatut } from './queries.ts'
import { statuts } from './search.ts'

type LevelProps = { device: DeviceRecord; level: 'france' | 'commune' }

/** Status and note of one level. What is typed survives a reload until it is saved. */
export function Level({ device, level }: LevelProps) {
  const words = useTranslations('defibrillateurs')
  const client = useQueryClient()
  const ofDraft = useTranslations('draft')
  const draft = usePartDraft(`defibrillateur.${device.id}.${level}`, typedOf(device, level))
  const { statut, note } = draft.mine
  const mayEdit = device.can.includes('edit')
  const { submit, isPending, error } = useSubmit({
    // All in one function: the screen may show another device before the change has succeeded.
    mutationFn: async () => {
      await saveNewest(client, deviceQuery(device.id), (now) => {
        draft.requireBase(typedOf(now, level))
        return updateStatut(level, now, { statut_admin: statut, note: note.trim() || null })
      })
      showToast({ title: words('saved') })
      await client.invalidateQueries({ queryKey: ['defibrillateurs'] })
      draft.clear()
    },
  })
  return (
    <Section title={words(`levels.${level}`)} note={words(`levelsAbout.${level}`)}>
      <Form
        isSaving={isPending}
        className={styles.stack}
        aria-label={words(`levels.${level}`)}
        onSubmit={() => {
          if (draft.isChanged && !draft.isBehind) submit()
        }}
      >
        {!isPending && (
          <DraftConflict
            draft={draft}
            linesOf={(typed) => [
              [words('statut'), words(`statuts.${typed.statut}`)],
              [words('note'), typed.note],
            ]}
          />
        )}
        {error !== null && <ShownFailure error={error} />}
        <Segmented
          label={words('statut')}
          value={statut}
          onChange={(value) => mayEdit && draft.put({ statut: value })}
          options={statuts.map((value) => ({ value, label: words(`statuts.${value}`) }))}
        />
        <TextField
          label={words('note')}
          rows={2}
          maxLength={1_000}
          isReadOnly={!mayEdit}
          value={note}
          onChange={(typed) => draft.put({ note: typed })}
        />
        {mayEdit && draft.isChanged && (
          <Row>
            <Button type="submit" look="primary" isPending={isPending}>
              {words('save')}
            </Button>
            <Button look="quiet" onPress={draft.clear}>
              {ofDraft('discard')}
            </Button>
          </Row>
        )}
      </Form>
    </Section>
  )
}

const typedOf = (device: DeviceRecord, level: LevelProps['level']) => ({
  statut: device[`statut_admin_${level}`],
  note: (level === 'france' ? device.note : device.note_commune) ?? '',
})
