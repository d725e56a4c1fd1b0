import { useTranslations } from 'use-intl'
import {
  communeFields,
  namesOf,
  type PictureName,
  pictureKinds,
} from '../../../../../src/modules/communes/fields.ts'
import { DraftConflict } from '../../../shell/editing/conflict.tsx'
import { usePartDraft } from '../../../shell/editing/part-draft.ts'
import { SaveBar } from '../../../shell/editing/save-bar.tsx'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { saveDescriptions } from '../../../shell/media/descriptions.ts'
import { MediaField } from '../../../shell/media/media-field.tsx'
import { NotSentNotice } from '../../../shell/media/not-sent.tsx'
import { idsIn, tokensIn } from '../../../shell/media/tokens.ts'
import { NotSent, untilSent } from '../../../shell/media/uploads.ts'
import { Form } from '../../../ui/form.tsx'
import { Section } from '../../../ui/page.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { type EditedCommune, useSaveCommune } from '../editing.ts'
import { useFieldTexts } from '../fields.ts'
import styles from './infos.module.css'

const names = namesOf(...pictureKinds)
const isNamed = (name: PictureName) => communeFields[name].kind === 'emblem'
/** As the draft stores them: the token of one file each, or nothing. */
type Typed = Record<PictureName, string>

const typedOf = (commune: EditedCommune) =>
  Object.fromEntries(names.map((name) => [name, commune[name]?.id ?? ''])) as Typed

/** Form of the coat of arms and the photo of a commune, which belong to its mairie. */
export function PicturesForm({ commune }: { commune: EditedCommune }) {
  const words = useTranslations('communes')
  const textsOf = useFieldTexts()
  const media = useTranslations('media')
  const saveCommune = useSaveCommune(commune.id)
  const draft = usePartDraft(`commune.${commune.id}.pictures`, typedOf(commune))
  const { mine, base, put } = draft
  const saving = useSubmit({
    mutationFn: async () => {
      const after = await Promise.all(names.map(async (name) => [name, await untilSent(mine[name])] as const))
      await saveDescriptions(after.flatMap(([name, token]) => (isNamed(name) ? [] : idsIn(token))))
      return saveCommune((now) => {
        draft.requireBase(typedOf(now))
        return Object.fromEntries(
          after.flatMap(([name, token]) => (token === base[name] ? [] : [[name, token || null]])),
        )
      })
    },
    onSuccess: () => {
      draft.clear()
      showToast({ title: words('saved') })
    },
  })
  const { error } = saving
  const countOf = (tokens: string) => media('removed', { kind: 'image', count: tokensIn(tokens).length })
  const save = () => {
    if (draft.isChanged && !draft.isBehind) saving.submit()
  }
  return (
    <Form isSaving={saving.isPending} className={styles.form} onSubmit={save}>
      {!saving.isPending && (
        <DraftConflict
          draft={draft}
          linesOf={(typed) => names.map((name) => [textsOf(name).label, countOf(typed[name])] as const)}
        />
      )}
      <Section title={words('pictures.title')}>
        <NotSentNotice error={error} />
        {names.map((name) => (
          <MediaField
            key={name}
            kind="image"
            {...textsOf(name)}
            name={name}
            max={1}
            isNamed={isNamed(name)}
            acteurId={commune.mairie?.id ?? null}
            known={[commune[name] ?? []].flat()}
            value={mine[name]}
            onChange={(value) => put({ [name]: value })}
            error={error}
          />
        ))}
      </Section>
      <SaveBar
        isChanged={draft.isChanged}
        isPending={saving.isPending}
        error={error instanceof NotSent ? null : error}
        onDiscard={() => {
          draft.clear()
          saving.reset()
        }}
      />
    </Form>
  )
}
