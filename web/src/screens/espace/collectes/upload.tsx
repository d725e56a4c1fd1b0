import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { readDraft, writeDraft } from '../../../shell/drafts.ts'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { ScreenLink } from '../../../shell/records/links.tsx'
import { useFailureToast } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { downloadBlob } from '../../../ui/download.ts'
import { Row, Soft } from '../../../ui/layout.tsx'
import { Section } from '../../../ui/page.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { todayInParis } from '../../communes/collectes/days.ts'
import { isOfGroup, type OwnActeur } from '../rights.ts'
import { draftOf, draftText, proposedGrid } from './filling/grid.ts'
import { CheckFailure, OfCalendar } from './of-calendar.tsx'
import { readPdf, readTable } from './queries.ts'
import { useChecking } from './use-checking.ts'

const accepted = [
  ...['.csv', '.json', '.ics', '.pdf'],
  ...['text/csv', 'application/json', 'text/calendar', 'application/pdf'],
]

/** Takes a file of collections, has it checked, and opens what it would do. */
export function UploadCollectes({ acteur }: { acteur: OwnActeur }) {
  const words = useTranslations('espace.collectes')
  const showFailure = useFailureToast()
  const [calendar, setCalendar] = useState<File | null>(null)
  const acteurId = acteur.acteur_id
  const checking = useChecking(acteurId)
  const table = useSubmit({
    mutationFn: () => readTable(acteurId),
    onSuccess: (blob) => downloadBlob(blob, 'collectes.csv'),
    onError: (error) => showFailure(words('tableFailed'), error),
  })
  const reading = useReading(acteurId)
  const take = (file: File | undefined) => {
    if (file === undefined || checking.isPending || reading.isPending) return
    checking.reset()
    reading.reset()
    if (/\.pdf$/i.test(file.name)) {
      setCalendar(null)
      reading.submit(file)
      return
    }
    const isCalendar = /\.(ics|ical|ifb)$/i.test(file.name)
    setCalendar(isCalendar ? file : null)
    if (!isCalendar) checking.check({ file })
  }
  return (
    <Section
      title={words('file', { count: isOfGroup(acteur) ? 2 : acteur.mairie_of.length })}
      note={words('fileNote')}
    >
      <Row>
        <FileTrigger acceptedFileTypes={accepted} onSelect={(files) => take(files?.[0])}>
          <Button look="primary" icon="document" isPending={checking.isPending || reading.isPending}>
            {words('choose')}
          </Button>
        </FileTrigger>
        <Button icon="download" isPending={table.isPending} onPress={() => table.submit()}>
          {words('table')}
        </Button>
        <ScreenLink
          icon="calendar"
          to="/espace/$acteurId/collectes"
          params={{ acteurId }}
          search={{ fill: true }}
        >
          {words('fill.open')}
        </ScreenLink>
      </Row>
      <Soft>{words('tableNote')}</Soft>
      {calendar !== null && (
        <>
          <strong>{words('calendarOf', { name: calendar.name })}</strong>
          <OfCalendar
            acteur={acteur}
            isPending={checking.isPending}
            onCheck={(given) => checking.check({ file: calendar, ...given })}
          />
        </>
      )}
      <CheckFailure error={checking.error ?? reading.error} />
      {reading.isError && <Soft>{words('pdf.byHand')}</Soft>}
    </Section>
  )
}

/** Reads a PDF into the calendar that is filled in by hand; the one before can be brought back. */
function useReading(acteurId: string) {
  const words = useTranslations('espace.collectes.pdf')
  const navigate = useNavigate()
  return useSubmit({
    mutationFn: async (file: File) => ({ proposal: await readPdf(acteurId, file), name: file.name }),
    onSuccess: async ({ proposal, name }) => {
      const draft = draftOf(acteurId)
      const before = readDraft(draft)
      writeDraft(draft, draftText(proposedGrid(proposal, name), todayInParis()))
      if (before !== '')
        showToast({
          title: words('replaced'),
          action: { label: words('restore'), run: () => writeDraft(draft, before) },
        })
      await navigate({ to: '.', search: { fill: true } })
    },
  })
}
