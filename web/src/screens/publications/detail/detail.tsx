import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode, RefObject } from 'react'
import { useTranslations } from 'use-intl'
import { Notes } from '../../../shell/records/colleagues/notes.tsx'
import { Present } from '../../../shell/records/colleagues/present.tsx'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/empty.tsx'
import { showToast } from '../../../ui/toast.tsx'
import type { ListedPublication, ReportedPublication } from '../queries.ts'
import { correct, showChanged } from '../writing/queries.ts'
import { About, Reports } from './about.tsx'
import { Changed } from './changed.tsx'
import { useOpened } from './opened.ts'
import { Similar } from './similar.tsx'
import { Unfinished } from './unfinished.tsx'
import { PublicationView } from './view.tsx'

type DetailProps = {
  id: string
  /** Row of the list, shown until the full record is loaded. */
  row: ListedPublication | null
  /** Version on which a refused decision was based; null if there was none. */
  conflict: ListedPublication | null
  actions: ReactNode
  onCorrect: () => void
  onHistory: () => void
  onDuplicates: () => void
  /** Label of the Back button; without it, the button has a default label and only small screens show it. */
  backTo?: string
  onBack: () => void
  noteRef: RefObject<HTMLInputElement | HTMLTextAreaElement | null>
  /** Below what is said about it, beside a list. */
  narrowing?: ReactNode
  /** Its readings and the entries of the audit log, on the page of one publication. */
  history?: ReactNode
}

/** Full publication as readers see it, with the information needed to decide on it. */
export function Detail({
  id,
  row,
  conflict,
  actions,
  onCorrect,
  onHistory,
  onDuplicates,
  backTo,
  onBack,
  noteRef,
  narrowing,
  history,
}: DetailProps) {
  const words = useTranslations('queue')
  const whole = useOpened(id)
  const publication = whole.publication ?? row
  const isDuplicate = (whole.publication?.duplicate_group ?? null) !== null
  const removeMedia = useRemoveMedia()
  const reports = whole.publication?.reports.filter(({ closed_at }) => closed_at === null) ?? []
  return (
    <PublicationView
      publication={publication}
      actions={actions}
      backTo={backTo}
      onBack={onBack}
      notices={
        <>
          {conflict && (
            <Changed isRefused seen={conflict} now={whole.isFetching ? null : (whole.data ?? null)} />
          )}
          {whole.newer && whole.data && (
            <Changed seen={whole.data} now={whole.newer} onShow={whole.showNewer} />
          )}
          {whole.isError && <ShownFailure error={whole.error} onRetry={() => void whole.refetch()} />}
          {publication === null && !whole.isError && <Skeleton lines={8} />}
        </>
      }
      tools={
        <>
          <Button look="quiet" small icon="history" shortcut="h" onPress={onHistory}>
            {words('history')}
          </Button>
          {isDuplicate && (
            <Button look="quiet" small icon="copies" shortcut="d" onPress={onDuplicates}>
              {words('duplicates')}
            </Button>
          )}
        </>
      }
      state={
        <>
          <Present kind="publication" id={id} />
          <Unfinished id={id} onResume={onCorrect} />
        </>
      }
      media={
        whole.publication?.can.includes('edit')
          ? {
              onRemove: (id, reason) => removeMedia(whole.publication, id, reason),
              publication: whole.publication,
            }
          : null
      }
      reports={reports.length > 0 && <Reports reports={reports} />}
    >
      {publication && (
        <>
          <Similar publication={publication} isExpected={isDuplicate} />
          <About publication={publication} />
          {narrowing}
          <Notes kind="publication" recordId={id} fieldRef={noteRef} />
          {history}
        </>
      )}
    </PublicationView>
  )
}

/** Returns a function that removes one picture or document of a publication, by a correction: audited, with a mail to its author. */
function useRemoveMedia() {
  const words = useTranslations('queue.media')
  const client = useQueryClient()
  return async (publication: ReportedPublication | undefined, media: string, reason: string) => {
    if (publication === undefined) return
    const { id, version, titre, images, documents } = publication
    const isPicture = images.some((one) => one.id === media)
    const left = (isPicture ? images : documents).flatMap((one) => (one.id === media ? [] : one.id))
    const body = isPicture ? { images: left } : { documents: left }
    const changed = await correct(id, version, { ...body, ...(reason !== '' && { reason }) })
    showChanged(client, changed)
    showToast({ title: words('removed', { kind: isPicture ? 'image' : 'document', titre }) })
  }
}
