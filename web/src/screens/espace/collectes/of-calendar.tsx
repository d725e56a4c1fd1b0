import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { messageFor } from '../../../api/failure.ts'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { Segmented } from '../../../ui/choice.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/select.tsx'
import { type Places, PlacesField } from '../places-field.tsx'
import { isOfGroup, type OwnActeur } from '../rights.ts'
import type { OfMembers } from './queries.ts'

type CalendarProps = {
  acteur: OwnActeur
  isPending: boolean
  /** Whether the collections of other kinds of waste stay unless somebody decides otherwise. */
  keepsOthers?: boolean
  onCheck: (given: OfMembers) => void
}

/** What a calendar does not say itself: for which communes it is, for which secteur, and what becomes of other collections. */
export function OfCalendar({ acteur, isPending, keepsOthers = false, onCheck }: CalendarProps) {
  const words = useTranslations('espace.collectes')
  const ofGroup = isOfGroup(acteur)
  const own = acteur.mairie_of.map(({ id, nom }) => ({ id, nom, note: '' }))
  const [places, setPlaces] = useState<Places>(ofGroup ? [] : own.slice(0, 1))
  const [secteur, setSecteur] = useState('')
  const [others, setOthers] = useState<'kept' | 'removed'>(keepsOthers ? 'kept' : 'removed')
  const [isWrong, setWrong] = useState(false)
  const check = () => {
    const isEmpty = places?.length === 0
    setWrong(isEmpty)
    if (!isEmpty)
      onCheck({ communeIds: places?.map(({ id }) => id) ?? null, secteur: secteur.trim(), others })
  }
  return (
    <>
      {ofGroup ? (
        <PlacesField
          acteur={acteur}
          places={places}
          onChange={setPlaces}
          error={isWrong ? words('where.none') : null}
          texts={{
            ...{ label: words('where.label'), all: words('where.all'), some: words('where.some') },
            ...{ chosen: words('where.chosen'), help: words('where.help') },
          }}
        />
      ) : (
        own.length > 1 && (
          <Select
            label={words('where.label')}
            value={places?.[0]?.id ?? 'all'}
            onChange={(id) => setPlaces(id === 'all' ? null : own.filter((one) => one.id === id))}
            options={[
              ...own.map(({ id, nom }) => ({ value: id, label: nom })),
              { value: 'all', label: words('where.all') },
            ]}
          />
        )
      )}
      <TextField
        label={words('secteur')}
        help={words('secteurHelp')}
        value={secteur}
        onChange={setSecteur}
        maxLength={200}
      />
      <Segmented
        label={words('others.label')}
        value={others}
        onChange={setOthers}
        options={(['kept', 'removed'] as const).map((value) => ({ value, label: words(`others.${value}`) }))}
      />
      <Button look="primary" isPending={isPending} onPress={check}>
        {words('check')}
      </Button>
    </>
  )
}

/** Why a file was refused, in words. */
export function CheckFailure({ error }: { error: unknown }) {
  const words = useTranslations('espace.collectes')
  const wrong = messageFor(error, 'file')
  if (wrong !== null) return <Notice tone="bad" title={words('refused', { reason: wrong })} />
  return error ? <ShownFailure error={error} /> : null
}
