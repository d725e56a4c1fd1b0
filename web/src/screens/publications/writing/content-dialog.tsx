import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { components } from '../../../api/api.generated.ts'
import { isStatus } from '../../../api/failure.ts'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { NotSent } from '../../../shell/media/uploads.ts'
import { useShortcuts } from '../../../shell/navigation/shortcuts.tsx'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Form } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useFirstWrong } from '../../../ui/use-first-wrong.ts'
import { Conflict } from './conflict.tsx'
import { contentNames } from './content.ts'
import type { CorrectionDraft } from './draft.ts'
import { ContentFields, isToldByFields, MediaFields, mediaNames } from './fields.tsx'
import { Preview } from './preview.tsx'
import { type SentMedia, sentMedia } from './sent-media.ts'
import styles from './writing.module.css'

const formId = 'correction'

type ContentDialogProps<Changed> = {
  publication: Pick<
    components['schemas']['Publication'],
    'acteur' | 'commune' | 'images' | 'documents' | 'moderation_status'
  >
  draft: CorrectionDraft
  labels: { title: string; save: string; drop: string }
  /** Saves the draft with the pictures and documents that have been sent. */
  send: (media: SentMedia) => Promise<Changed>
  onSaved: (changed: Changed) => void
  /** Reloads the publication after a save that was refused because it has changed. */
  reload: () => Promise<unknown>
  /** Explains that only the state of the publication has changed. */
  overtaken: string
  /** Whether pictures and documents can be added; moderators only remove some. */
  mayAddMedia: boolean
  /** Text above the fields. */
  head?: ReactNode
  /** Fields below those of the content. */
  fields: (error: unknown) => ReactNode
  onClose: () => void
}

/** Dialog to change a publication, with a preview. Closing it keeps the draft. */
export function ContentDialog<Changed>(props: ContentDialogProps<Changed>) {
  const { publication, draft, labels, send, onSaved, reload, overtaken, head, fields, onClose } = props
  const words = useTranslations('writing')
  // Counts replaced texts: the editor needs a new key for a text that was not typed in it.
  const [texts, setTexts] = useState(0)
  const { mine, base, newest, isBehind, isChanged, changesElsewhere } = draft
  const saving = useSubmit({
    mutationFn: async () => send(await sentMedia(mine)),
    onSuccess: (changed) => {
      draft.clear()
      onSaved(changed)
      onClose()
    },
    onError: (failure) => (isStatus(failure, 412) ? reload() : undefined),
  })
  const isOvertaken = isStatus(saving.error, 412)
  const error = isOvertaken ? null : saving.error
  const form = useFirstWrong(error)
  const save = () => {
    if (!isBehind && isChanged) saving.submit()
  }
  const replace = (choose: () => void) => () => {
    // The pressed button disappears: without this, the dialog would focus its close button.
    form.current?.querySelector('input')?.focus()
    choose()
    setTexts(texts + 1)
    saving.reset()
  }
  useShortcuts(labels.title, [{ key: 'Enter', withControl: true, label: labels.save, run: save }], {
    isDialog: true,
  })
  return (
    <Dialog
      full
      title={labels.title}
      isOpen
      onClose={onClose}
      actions={
        <>
          {isChanged && (
            <Button look="quiet" onPress={replace(draft.clear)}>
              {labels.drop}
            </Button>
          )}
          <Button onPress={onClose}>{words('later')}</Button>
          <Button
            look="primary"
            type="submit"
            form={formId}
            isPending={saving.isPending}
            isDisabled={!isChanged || isBehind}
          >
            {labels.save}
          </Button>
        </>
      }
    >
      {isBehind && (
        <Conflict
          mine={mine}
          base={base}
          newest={newest}
          onKeepMine={replace(draft.keepMine)}
          onTakeNewest={replace(draft.takeNewest)}
        />
      )}
      {isOvertaken && !isBehind && (
        <Notice tone="warn" title={words('overtaken.title')}>
          {overtaken}
        </Notice>
      )}
      {head}
      <div className={styles.split}>
        <Form isSaving={saving.isPending} id={formId} ref={form} className={styles.form} onSubmit={save}>
          {error !== null &&
            !(error instanceof NotSent) &&
            !isToldByFields(error, [...contentNames, ...mediaNames, 'reason']) && (
              <ShownFailure error={error} onRetry={save} />
            )}
          <ContentFields
            isFirst
            editorKey={`${texts} ${base.body} ${changesElsewhere}`}
            content={mine}
            onChange={draft.change}
            error={error}
            stored={base.recurrence}
            communeId={publication.commune?.id}
            media={
              <MediaFields
                content={mine}
                onChange={draft.change}
                error={error}
                acteurId={publication.acteur?.id ?? null}
                known={publication}
                foreign={base.image_url}
                mayAdd={props.mayAddMedia}
              />
            }
          />
          {fields(error)}
        </Form>
        <Preview content={mine} acteur={publication.acteur?.nom ?? null} />
      </div>
    </Dialog>
  )
}
