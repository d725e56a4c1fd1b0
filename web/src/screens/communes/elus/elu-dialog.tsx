import { useTranslations } from 'use-intl'
import { messageFor } from '../../../api/failure.ts'
import { DraftConflict } from '../../../shell/editing/conflict.tsx'
import { usePartDraft } from '../../../shell/editing/part-draft.ts'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { MediaField } from '../../../shell/media/media-field.tsx'
import { NotSentNotice } from '../../../shell/media/not-sent.tsx'
import { tokensIn } from '../../../shell/media/tokens.ts'
import { NotSent, untilSent } from '../../../shell/media/uploads.ts'
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

/** `photo`: the token of a file, or nothing. */
type Typed = Record<'prenom' | 'nom' | 'fonction' | 'photo_url' | 'photo' | 'mandat_debut', string>

const typedOf = (elu: Elu | null): Typed => ({
  prenom: elu?.prenom ?? '',
  nom: elu?.nom ?? '',
  fonction: elu?.fonction ?? '',
  photo_url: (elu?.photo ? null : elu?.photo_url) ?? '',
  photo: elu?.photo?.id ?? '',
  mandat_debut: elu?.mandat_debut ?? '',
})
const fieldsOf = (typed: Typed, photo: string) => ({
  prenom: typed.prenom.trim(),
  nom: typed.nom.trim(),
  fonction: typed.fonction.trim(),
  // A picture replaces the address of one.
  photo_url: photo === '' ? typed.photo_url.trim() || null : null,
  photo: photo || null,
  mandat_debut: typed.mandat_debut || null,
})

type DialogProps = { commune: EditedCommune; elu: Elu | null; maySend: boolean; onClose: () => void }

/** Form of a new élu or an existing one. `maySend`: the user may send pictures. */
export function EluDialog({ commune, elu, maySend, onClose }: DialogProps) {
  const words = useTranslations('communes')
  const lineOf = useLineOf()
  const saveCommune = useSaveCommune(commune.id)
  const newest = elu && (commune.elus.find(({ id }) => id === elu.id) ?? null)
  const draft = usePartDraft(`commune.${commune.id}.elu.${elu?.id ?? 'new'}`, typedOf(newest))
  const { mine } = draft
  const saving = useSubmit({
    mutationFn: async () => {
      const fields = fieldsOf(mine, await untilSent(mine.photo))
      return saveCommune(({ elus }) => {
        const found = elus.find(({ id }) => id === elu?.id)
        // New, or removed meanwhile: then it is added again, because the user just edited it.
        if (found === undefined) return { elus: bodyOf([...elus, fields]) }
        draft.requireBase(typedOf(found))
        return { elus: bodyOf(elus.map((one) => (one === found ? { ...one, ...fields } : one))) }
      })
    },
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
        {saving.isError && !(saving.error instanceof NotSent) && <ShownFailure error={saving.error} />}
        {!saving.isPending && (
          <DraftConflict
            draft={draft}
            linesOf={(typed) => (Object.keys(typed) as (keyof Typed)[]).map((name) => lineOf(name, typed))}
          />
        )}
        {field('prenom', { autoFocus: true })}
        {field('nom', { isRequired: true })}
        {field('fonction', { isRequired: true })}
        {field('mandat_debut', { type: 'date' })}
        {(maySend || mine.photo !== '') && (
          <PortraitField
            commune={commune}
            elu={newest}
            value={mine.photo}
            onChange={(photo) => draft.put({ photo })}
            mayAdd={maySend}
            error={saving.error}
          />
        )}
        {mine.photo === '' && field('photo_url', { type: 'url' })}
      </Form>
    </Dialog>
  )
}

/** Returns the label of a field in a conflict with its value; of a portrait, whether there is one. */
function useLineOf() {
  const words = useTranslations('communes')
  const media = useTranslations('media')
  return (name: keyof Typed, typed: Typed) => {
    const count = tokensIn(typed.photo).length
    return [
      words(`elus.${name}`),
      name === 'photo' ? media('removed', { kind: 'image', count }) : typed[name],
    ] as const
  }
}

type PortraitProps = {
  commune: EditedCommune
  elu: Elu | null
  value: string
  onChange: (photo: string) => void
  mayAdd: boolean
  error: unknown
}

function PortraitField({ commune, elu, error, ...field }: PortraitProps) {
  const words = useTranslations('communes')
  const at = commune.elus.findIndex(({ id }) => id === elu?.id)
  return (
    <>
      <NotSentNotice error={error} />
      <MediaField
        kind="image"
        label={words('elus.photo')}
        help={words('elus.photoHelp')}
        name={`elus.${at < 0 ? commune.elus.length : at}.photo`}
        max={1}
        isNamed
        acteurId={commune.mairie?.id ?? null}
        known={[elu?.photo ?? []].flat()}
        error={error}
        {...field}
      />
    </>
  )
}
