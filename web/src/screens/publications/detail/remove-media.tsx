import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDraft } from '../../../shell/drafts.ts'
import { later } from '../../../shell/later.tsx'
import type { MediaKind } from '../../../shell/media/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { Row } from '../../../ui/layout.tsx'
import type { MediaDeeds } from './picture.ts'

const RemoveForm = later(async () => (await import('./remove-form.tsx')).RemoveForm, {
  waits: true,
  inPage: true,
})

type RemoveProps = {
  kind: MediaKind
  id: string
  /** The name of the document, for screen readers: several buttons have the same label. */
  nom?: string
  deeds: MediaDeeds
  onRemoved?: () => void
}

/** Removes one picture or document instead of rejecting the whole publication, with a reason for its author. */
export function RemoveMedia({ kind, id, nom, deeds, onRemoved }: RemoveProps) {
  const words = useTranslations('queue.media')
  const [isAsking, setAsking] = useState(false)
  const [wasKept, setKept] = useState(false)
  const [reason, setReason, clearReason] = useDraft(`remove-media.${id}`)
  if (!isAsking && reason === '') {
    return (
      <Row>
        <Button
          small={kind === 'document'}
          {...(nom !== undefined && { 'aria-label': words('removeNamed', { nom }) })}
          autoFocus={wasKept}
          onPress={() => setAsking(true)}
        >
          {words('remove', { kind })}
        </Button>
      </Row>
    )
  }
  return (
    <RemoveForm
      {...{ kind, id, deeds, reason }}
      isAsked={isAsking}
      onReason={setReason}
      onRemoved={() => {
        clearReason()
        onRemoved?.()
      }}
      onKept={() => {
        clearReason()
        setAsking(false)
        setKept(true)
      }}
    />
  )
}
