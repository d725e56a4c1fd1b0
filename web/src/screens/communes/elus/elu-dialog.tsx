import { useTranslations } from 'use-intl'
import { messageFor } from '../../../api/failure.ts'
import { DraftConflict } from '../../../shell/editing/conflict.tsx'
import { usePartDraft } from '../../../shell/editing/part-draft.ts'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { type EditedCommune, useSaveCommune } from '../editing.ts'
import styles from '../editor/editor.module.css'
import type { Elu } from '../queries.ts'
import { bodyOf } from './rows.ts'

type Typed = { prenom: string; nom: string; fonction: string; photo_url: string; mandat_debut: string }

const typedOf = (elu: Elu | null): Typed => ({
  prenom: elu?.prenom ?? '',
  nom: elu?.nom ?? '',
  fonction: elu?.fonction ?? '',
  photo_url: elu?.photo_url ?? '',
  mandat_debut: elu?.mandat_debut ?? '',
})
const fieldsOf = (typed: Typed) => ({
  prenom: typed.prenom.trim(),
  nom: typed.nom.trim(),
  fonction: typed.fonction.trim(),
  photo_url: typed.photo_url.trim() || null,
  mandat_debut: typed.mandat_debut || null,
})

type DialogProps = { commune: EditedCommune; elu: Elu | null; onClose: () => void }

/** Form of a new élu or an existing one. */
export function EluDialog({ commune, elu, onClose }: DialogProps) {
  const words = useTranslations('communes')
  const saveCommune = useSaveCommune(commune.id)
  const newest = elu && (commune.elus.find(({ id }) => id === elu.id) ?? null)
  const draft = usePartDraft(`commune.${commune.id}.elu.${elu?.id ?? 'new'}`, typedOf(newest))
  const { mine } = draft
  const saving = useSubmit({
    mutationFn: () =>
      saveCommune(({ elus }) => {
        if (elu === null) return { elus: bodyOf([...elus, fieldsOf(mine)]) }
        const at = elus.findIndex(({ id }) => id === elu.id)
        const found = elus[at]
        // Removed meanwhile: it is added again, because the user just edited it.
        if (found === undefined) return { elus: bodyOf([...elus, fieldsOf(mine)]) }
        draft.requireBase(typedOf(found))
        return { elus: bodyOf(elus.with(at, { ...found, ...fieldsOf(mine) })) }
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
  const field = (name: keyof Typed, more: { isRequired?: boolean; type?: string; autoFocus?: boolean }) => (
    <TextField
      label={words(`elus.${name}`)}
      value={mine[name]}
      onChange={(text) => draft.put({ [name]: text })}
      error={messageFor(saving.error, (path) => path.endsWith(`.${name}`))}
      {...more}
    />
  )
  return (
    <Dialog
      title={words(elu === null ? 'elus.new' : 'elus.change')}
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
          <Button look="primary" type="submit" form="elu" isPending={saving.isPending}>
            {words('save')}
          </Button>
        </>
      }
    >
      <Form isSaving={saving.isPending} id="elu" className={styles.form} onSubmit={save}>
        {saving.isError && <ShownFailure error={saving.error} />}
        <DraftConflict
          draft={draft}
          linesOf={(typed) =>
            (Object.keys(typed) as (keyof Typed)[]).map((name) => [words(`elus.${name}`), typed[name]])
          }
        />
        {field('prenom', { autoFocus: true })}
        {field('nom', { isRequired: true })}
        {field('fonction', { isRequired: true })}
        {field('mandat_debut', { type: 'date' })}
        {field('photo_url', { type: 'url' })}
      </Form>
    </Dialog>
  )
}
