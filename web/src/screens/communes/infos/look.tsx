import { useFormatter, useTranslations } from 'use-intl'
import {
  communeFields,
  type LookName,
  lookKinds,
  namesOf,
} from '../../../../../src/modules/communes/fields.ts'
import { contrast, parseColor } from '../../../../../src/site/look/color.ts'
import { fixed, paletteOf, readable } from '../../../../../src/site/look/palette.ts'
import { messageFor } from '../../../api/failure.ts'
import { DraftConflict } from '../../../shell/editing/conflict.tsx'
import { usePartDraft } from '../../../shell/editing/part-draft.ts'
import { SaveBar } from '../../../shell/editing/save-bar.tsx'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { TextField } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { Soft } from '../../../ui/layout.tsx'
import { Section } from '../../../ui/page.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { type EditedCommune, useSaveCommune } from '../editing.ts'
import { useFieldTexts } from '../fields.ts'
import styles from './infos.module.css'

const names = namesOf(...lookKinds)
/** As typed; an empty text stands for null. */
type Typed = Record<LookName, string>

const typedOf = (commune: EditedCommune) =>
  Object.fromEntries(names.map((name) => [name, commune[name] ?? ''])) as Typed
const sentOf = (typed: Typed) => ({
  nom_affiche: typed.nom_affiche.trim() || null,
  couleur: typed.couleur.trim().toLowerCase() || null,
})

/** Form of the name of a commune as it writes it, and of its colour. */
export function LookForm({ commune }: { commune: EditedCommune }) {
  const words = useTranslations('communes')
  const textsOf = useFieldTexts()
  const saveCommune = useSaveCommune(commune.id)
  const draft = usePartDraft(`commune.${commune.id}.look`, typedOf(commune))
  const { mine, put } = draft
  const saving = useSubmit({
    mutationFn: () =>
      saveCommune((now) => {
        draft.requireBase(typedOf(now))
        return sentOf(mine)
      }),
    onSuccess: () => {
      draft.clear()
      showToast({ title: words('saved') })
    },
  })
  const save = () => {
    if (draft.isChanged && !draft.isBehind) saving.submit()
  }
  const { couleur } = sentOf(mine)
  return (
    <Form isSaving={saving.isPending} className={styles.form} onSubmit={save}>
      <DraftConflict
        draft={draft}
        linesOf={(typed) => names.map((name) => [textsOf(name).label, typed[name]] as const)}
      />
      <Section title={words('look.title')}>
        <TextField
          {...textsOf('nom_affiche')}
          placeholder={commune.nom}
          value={mine.nom_affiche}
          onChange={(nom_affiche) => put({ nom_affiche })}
          error={messageFor(saving.error, 'nom_affiche')}
        />
        <div className={styles.color}>
          <TextField
            {...textsOf('couleur')}
            placeholder={communeFields.couleur.example}
            value={mine.couleur}
            onChange={(typed) => put({ couleur: typed })}
            error={messageFor(saving.error, 'couleur') && words('look.wrong')}
          />
          <input
            type="color"
            aria-label={words('look.pick')}
            disabled={saving.isPending}
            value={couleur !== null && /^#[0-9a-f]{6}$/.test(couleur) ? couleur : '#000000'}
            onChange={({ target }) => put({ couleur: target.value })}
          />
        </div>
        <ColorPreview couleur={couleur} nom={mine.nom_affiche.trim() || commune.nom} />
      </Section>
      <SaveBar
        isChanged={draft.isChanged}
        isPending={saving.isPending}
        error={saving.error}
        onDiscard={() => {
          draft.clear()
          saving.reset()
        }}
      />
    </Form>
  )
}

const white = [255, 255, 255] as const

/** Shows the head of the site, and links, in a colour as it is typed, and says whether text in it is readable. */
function ColorPreview({ couleur, nom }: { couleur: string | null; nom: string }) {
  const words = useTranslations('communes.look')
  const format = useFormatter()
  const color = couleur === null ? null : parseColor(couleur)
  if (couleur === null || color === null)
    return <Soft role="status">{words(couleur === null ? 'none' : 'wrong')}</Soft>
  const { light, dark } = paletteOf(color)
  const ratio = contrast(color, white)
  // Never rounded up to what is asked.
  const shown = format.number(Math.floor(ratio * 10) / 10, { maximumFractionDigits: 1 })
  return (
    <div className={styles.preview}>
      <div aria-hidden="true">
        <p style={{ background: light.fill, color: '#fff' }}>{nom}</p>
        <p style={{ background: fixed.light.paper, color: light.deep }}>{words('link')}</p>
        <p style={{ background: dark.paper, color: dark.deep }}>{words('link')}</p>
      </div>
      <Soft role="status">{words(ratio >= readable.button ? 'readable' : 'tooLight', { ratio: shown })}</Soft>
    </div>
  )
}
