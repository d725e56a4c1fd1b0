import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type SyntheticEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ApiFailure } from '../../../api/failure.ts'
import { meQuery } from '../../../api/queries.ts'
import { useShortcuts } from '../../../shell/shortcuts.tsx'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Skeleton } from '../../../ui/empty.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { publicationQuery, type Reported } from '../queries.ts'
import { Conflict } from './conflict.tsx'
import { changesOf, contentNames } from './content.ts'
import { useCorrection } from './draft.ts'
import { ContentFields, errorOf, isToldByFields, useFirstWrong } from './fields.tsx'
import { Preview } from './preview.tsx'
import { correct, showChanged } from './queries.ts'
import styles from './writing.module.css'

const formId = 'correction'

type CorrectProps = { of: string; onClose: () => void }

/** Dialog to correct a publication, with a preview. Closing it keeps the draft. */
export function Correct({ of, onClose }: CorrectProps) {
  const words = useTranslations('writing')
  const { data } = useQuery(publicationQuery(of))
  if (data !== undefined) return <Form publication={data} onClose={onClose} />
  return (
    <Dialog full title={words('correctTitle')} isOpen onClose={onClose}>
      <Skeleton lines={8} />
    </Dialog>
  )
}

function Form({ publication, onClose }: { publication: Reported; onClose: () => void }) {
  const words = useTranslations('writing')
  const common = useTranslations('queue')
  const client = useQueryClient()
  const correction = useCorrection(publication)
  const [error, setError] = useState<unknown>(null)
  const [isPending, setPending] = useState(false)
  const [isOvertaken, setOvertaken] = useState(false)
  // Counts replaced texts: the editor needs a new key for a text that was not typed in it.
  const [texts, setTexts] = useState(0)
  const form = useFirstWrong(error)
  const { mine, base, newest, isBehind, isChanged, changesElsewhere } = correction
  const save = async () => {
    if (isPending || isBehind || !isChanged) return
    setPending(true)
    setError(null)
    setOvertaken(false)
    try {
      const reason = correction.reason.trim()
      const body = { ...changesOf(mine, base), ...(reason !== '' && { reason }) }
      const changed = await correct(publication.id, correction.seen, body)
      correction.clear()
      showChanged(client, changed)
      showToast({ title: words('corrected', { titre: changed.titre }) })
      onClose()
    } catch (failure) {
      setPending(false)
      if (!(failure instanceof ApiFailure && failure.status === 412)) return setError(failure)
      await client.refetchQueries(publicationQuery(publication.id))
      setOvertaken(true)
    }
  }
  const replace = (choose: () => void) => () => {
    // The pressed button disappears: without this, the dialog would focus its close button.
    form.current?.querySelector('input')?.focus()
    choose()
    setTexts(texts + 1)
    setOvertaken(false)
  }
  useShortcuts(
    words('correctTitle'),
    [{ key: 'Enter', withControl: true, label: words('save'), run: () => void save() }],
    { isDialog: true },
  )
  return (
    <Dialog
      full
      title={words('correctTitle')}
      isOpen
      onClose={onClose}
      actions={
        <>
          {isChanged && (
            <Button look="quiet" onPress={replace(correction.clear)}>
              {words('drop')}
            </Button>
          )}
          <Button onPress={onClose}>{words('later')}</Button>
          <Button
            look="primary"
            type="submit"
            form={formId}
            isPending={isPending}
            isDisabled={!isChanged || isBehind}
          >
            {words('save')}
          </Button>
        </>
      }
    >
      {isBehind && (
        <Conflict
          mine={mine}
          base={base}
          newest={newest}
          onKeepMine={replace(correction.keepMine)}
          onTakeNewest={replace(correction.takeNewest)}
        />
      )}
      {isOvertaken && !isBehind && (
        <Notice tone="warn" title={words('overtaken.title')}>
          {words('overtaken.text', { status: common(`status.${publication.moderation_status}`) })}
        </Notice>
      )}
      <div className={styles.split}>
        <form
          id={formId}
          ref={form}
          className={styles.form}
          noValidate
          onSubmit={(event: SyntheticEvent) => {
            event.preventDefault()
            void save()
          }}
        >
          {error !== null && !isToldByFields(error, [...contentNames, 'reason']) && (
            <ShownFailure error={error} onRetry={() => void save()} />
          )}
          <ContentFields
            isFirst
            editorKey={`${texts} ${base.body} ${changesElsewhere}`}
            content={mine}
            onChange={correction.change}
            error={error}
          />
          <TextField
            label={words('reason')}
            help={<Told publication={publication} />}
            rows={2}
            maxLength={1_000}
            value={correction.reason}
            onChange={correction.giveReason}
            error={errorOf(error)('reason')}
          />
        </form>
        <Preview
          content={mine}
          acteur={publication.acteur?.nom ?? null}
          image={publication.image_url ?? undefined}
        />
      </div>
    </Dialog>
  )
}

/** Says who will be notified of the correction. */
function Told({ publication: { created_by, created_by_user, source } }: { publication: Reported }) {
  const words = useTranslations('writing')
  const { data: me } = useQuery(meQuery)
  if (source !== null) return words('told.import', { nom: source.nom })
  if (created_by === null) return words('told.nobody')
  if (created_by === me?.id) return words('told.oneself')
  return words('told.author', { nom: created_by_user?.nom ?? words('told.unnamed') })
}
