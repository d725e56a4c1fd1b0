import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { messageFor } from '../../../api/failure.ts'
import { queryClient } from '../../../api/queries.ts'
import type { CommuneChoice } from '../../../shell/choices/choices.ts'
import { CommuneList } from '../../../shell/choices/commune-list.tsx'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { ShownFailure, useFailureToast } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { Segmented } from '../../../ui/choice.tsx'
import { downloadBlob } from '../../../ui/download.ts'
import { TextField } from '../../../ui/field.tsx'
import { Row, Soft } from '../../../ui/layout.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/page.tsx'
import { memberChoices } from '../alertes.queries.ts'
import type { OwnActeur } from '../rights.ts'
import { checkFile, importQuery, readTable } from './queries.ts'

/** Takes a file of collections, has it checked, and opens what it would do. */
export function UploadCollectes({ acteur }: { acteur: OwnActeur }) {
  const words = useTranslations('espace.collectes')
  const navigate = useNavigate()
  const showFailure = useFailureToast()
  const [calendar, setCalendar] = useState<File | null>(null)
  const key = useRef(crypto.randomUUID())
  const acteurId = acteur.acteur_id
  const checking = useSubmit({
    mutationFn: (given: { file: File; communeIds?: readonly string[] | null; secteur?: string }) =>
      checkFile({ acteurId, key: key.current, ...given }),
    onSuccess: async (checked) => {
      setCalendar(null)
      queryClient.setQueryData(importQuery(acteurId, checked.id).queryKey, checked)
      await navigate({ to: '.', search: { import: checked.id } })
    },
  })
  const table = useSubmit({
    mutationFn: () => readTable(acteurId),
    onSuccess: (blob) => downloadBlob(blob, 'collectes.csv'),
    onError: (error) => showFailure(words('tableFailed'), error),
  })
  const take = (file: File | undefined) => {
    if (file === undefined || checking.isPending) return
    key.current = crypto.randomUUID()
    checking.reset()
    const isCalendar = /\.(ics|ical|ifb)$/i.test(file.name)
    setCalendar(isCalendar ? file : null)
    if (!isCalendar) checking.submit({ file })
  }
  const wrong = messageFor(checking.error, 'file')
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
      </Row>
      <Soft>{words('tableNote')}</Soft>
      {calendar !== null && (
        <OfCalendar
          acteur={acteur}
          name={calendar.name}
          isPending={checking.isPending}
          onCheck={(given) => checking.submit({ file: calendar, ...given })}
        />
      )}
      {wrong !== null && <Notice tone="bad" title={words('refused', { reason: wrong })} />}
      {wrong === null && checking.isError && <ShownFailure error={checking.error} />}
    </Section>
  )
}

type CalendarProps = {
  acteur: OwnActeur
  name: string
  isPending: boolean
  onCheck: (given: { communeIds: readonly string[] | null; secteur: string }) => void
}

/** What a calendar does not say itself: for which communes it is, and for which secteur. */
function OfCalendar({ acteur, name, isPending, onCheck }: CalendarProps) {
  const words = useTranslations('espace.collectes')
  const [places, setPlaces] = useState<readonly CommuneChoice[] | null>([])
  const [secteur, setSecteur] = useState('')
  const [isWrong, setWrong] = useState(false)
  const check = () => {
    const isEmpty = places?.length === 0
    setWrong(isEmpty)
    if (!isEmpty) onCheck({ communeIds: places?.map(({ id }) => id) ?? null, secteur: secteur.trim() })
  }
  return (
    <>
      <strong>{words('calendarOf', { name })}</strong>
      <Segmented
        label={words('where.label')}
        value={places === null ? 'all' : 'some'}
        onChange={(value) => setPlaces(value === 'all' ? null : [])}
        options={(['all', 'some'] as const).map((value) => ({ value, label: words(`where.${value}`) }))}
      />
      {places !== null && (
        <CommuneList
          isRequired
          chosen={places}
          onChange={setPlaces}
          choices={memberChoices(acteur)}
          label={words('where.chosen')}
          help={words('where.help')}
          error={isWrong ? words('where.none') : null}
        />
      )}
      <TextField
        label={words('secteur')}
        help={words('secteurHelp')}
        value={secteur}
        onChange={setSecteur}
        maxLength={200}
      />
      <Button look="primary" isPending={isPending} onPress={check}>
        {words('check')}
      </Button>
    </>
  )
}
