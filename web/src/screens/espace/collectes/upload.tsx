import { useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { ScreenLink } from '../../../shell/records/links.tsx'
import { useFailureToast } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { downloadBlob } from '../../../ui/download.ts'
import { Row, Soft } from '../../../ui/layout.tsx'
import { Section } from '../../../ui/page.tsx'
import type { OwnActeur } from '../rights.ts'
import { CheckFailure, OfCalendar } from './of-calendar.tsx'
import { readTable } from './queries.ts'
import { useChecking } from './use-checking.ts'

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
  const take = (file: File | undefined) => {
    if (file === undefined || checking.isPending) return
    checking.reset()
    const isCalendar = /\.(ics|ical|ifb)$/i.test(file.name)
    setCalendar(isCalendar ? file : null)
    if (!isCalendar) checking.check({ file })
  }
  return (
    <Section title={words('file')} note={words('fileNote')}>
      <Row>
        <FileTrigger
          acceptedFileTypes={['.csv', '.json', '.ics', 'text/csv', 'application/json', 'text/calendar']}
          onSelect={(files) => take(files?.[0])}
        >
          <Button look="primary" icon="document" isPending={checking.isPending}>
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
      <CheckFailure error={checking.error} />
    </Section>
  )
}
