import { useTranslations } from 'use-intl'
import { DraftConflict } from '../../../shell/editing/conflict.tsx'
import { usePartDraft } from '../../../shell/editing/part-draft.ts'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { saveDescriptions } from '../../../shell/media/descriptions.ts'
import { MediaField } from '../../../shell/media/media-field.tsx'
import { idsIn, tokensIn } from '../../../shell/media/tokens.ts'
import { NotSent, untilSent } from '../../../shell/media/uploads.ts'
import { Form } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/page.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { type EditedCommune, useSaveCommune } from '../editing.ts'
import { SaveBar } from '../editor/save-bar.tsx'
import styles from './infos.module.css'

const names = ['blason', 'photo'] as const
/** As the draft stores them: the token of one file each, or nothing. */
type Typed = Record<(typeof names)[number], string>

const typedOf = ({ blason, photo }: EditedCommune): Typed => ({
  blason: blason?.id ?? '',
  photo: photo?.id ?? '',
})

/** Form of the coat of arms and the photo of a commune, which belong to its mairie. */
export function PicturesForm({ commune }: { commune: EditedCommune }) {
  const words = useTranslations('communes')
  const media = useTranslations('media')
  const saveCommune = useSaveCommune(commune.id)
  const draft = usePartDraft(`commune.${commune.id}.pictures`, typedOf(commune))
  const { mine, base, put } = draft
  const saving = useSubmit({
    mutationFn: async () => {
      const [blason, photo] = await Promise.all([untilSent(mine.blason), untilSent(mine.photo)])
      await saveDescriptions(idsIn(photo))
      return saveCommune((now) => {
        draft.requireBase(typedOf(now))
        return {
          ...(blason !== base.blason && { blason: blason || null }),
          ...(photo !== base.photo && { photo: photo || null }),
        }
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
          linesOf={(typed) => names.map((name) => [words(`pictures.${name}`), countOf(typed[name])] as const)}
        />
      )}
      <Section title={words('pictures.title')}>
        {error instanceof NotSent && (
          <Notice tone="bad" title={media('notSent')}>
            <p>{media('notSentText')}</p>
          </Notice>
        )}
        {names.map((name) => (
          <MediaField
            key={name}
            kind="image"
            label={words(`pictures.${name}`)}
            help={words(`pictures.${name}Help`)}
            name={name}
            max={1}
            isNamed={name === 'blason'}
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
