import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { maxDocumentBytes } from '../../../../../src/modules/media/limits.ts'
import { messageFor } from '../../../api/failure.ts'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { useDroppedFiles } from '../../../shell/media/dropped-files.ts'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Row, Soft } from '../../../ui/layout.tsx'
import styles from './acts.module.css'
import { ActFailure } from './failure.tsx'
import { refreshActs, sendAct } from './queries.ts'
import type { Act } from './search.ts'

type UploadProps = { acteurId: string; corrected?: Act | undefined }

/** Takes the PDF of an act, chosen or dropped, and opens its draft. */
export function ActUpload({ acteurId, corrected }: UploadProps) {
  const words = useTranslations('espace.acts')
  const navigate = useNavigate()
  const titleId = useId()
  const [part, setPart] = useState(0)
  const [notice, setNotice] = useState<string | null>(null)
  const sending = useSubmit({
    mutationFn: (file: File) => sendAct({ acteurId, file, corrected, onProgress: setPart }),
    onSuccess: async ({ id }) => {
      void refreshActs()
      await navigate({ to: '/espace/$acteurId/actes/$id', params: { acteurId, id } })
    },
  })
  const take = (files: readonly File[]) => {
    const [file] = files
    if (file === undefined || sending.isPending) return
    const refusal = refusalOf(file)
    setNotice(refusal && words(refusal, { megabytes: maxDocumentBytes / 1e6 }))
    setPart(0)
    sending.reset()
    if (refusal === null) sending.submit(file)
  }
  const drop = useDroppedFiles(take, { isOn: !sending.isPending, takesPasted: false })
  const wrong = messageFor(sending.error, 'file')
  return (
    <section
      className={cx(styles.drop, drop.isOver && styles.over)}
      aria-labelledby={titleId}
      {...drop.target}
    >
      <div>
        <h2 id={titleId} className={styles.title}>
          {corrected ? words('dropCorrection', { title: corrected.title }) : words('drop')}
        </h2>
        <Soft>{words('dropNote', { megabytes: maxDocumentBytes / 1e6 })}</Soft>
      </div>
      <Row>
        <FileTrigger acceptedFileTypes={['application/pdf']} onSelect={(files) => take([...(files ?? [])])}>
          <Button look="primary" icon="document" isPending={sending.isPending}>
            {words('choose')}
          </Button>
        </FileTrigger>
        <span className={styles.hint}>{words('orDrop')}</span>
      </Row>
      {sending.isPending && (
        <div className={styles.progress}>
          <progress
            max={1}
            {...(part < 1 && { value: part })}
            aria-label={words('sending', { name: sending.variables?.name ?? '' })}
          />
          <span role="status">{part < 1 ? words('part', { part }) : words('reading')}</span>
        </div>
      )}
      {(notice ?? wrong) !== null && (
        <p role="alert" className={styles.wrong}>
          <Icon name="error" />
          <span>{notice ?? words('refused', { reason: wrong ?? '' })}</span>
        </p>
      )}
      {notice === null && wrong === null && sending.isError && (
        <ActFailure acteurId={acteurId} error={sending.error} />
      )}
    </section>
  )
}

/** Why a file cannot be sent; null for one that the service decides about. */
function refusalOf({ type, size }: File): 'notPdf' | 'tooLarge' | null {
  if (type !== '' && type !== 'application/pdf') return 'notPdf'
  return size > maxDocumentBytes ? 'tooLarge' : null
}
