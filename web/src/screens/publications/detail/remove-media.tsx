import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDraft } from '../../../shell/drafts.ts'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import type { MediaKind } from '../../../shell/media/queries.ts'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { Row, Soft } from '../../../ui/layout.tsx'
import type { MediaDeeds } from './picture.ts'

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
  const removing = useSubmit({
    mutationFn: () => deeds.onRemove(id, reason.trim()),
    onSuccess: () => {
      clearReason()
      onRemoved?.()
    },
  })
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
    <Form onSubmit={removing.submit} isSaving={removing.isPending}>
      <TextField
        autoFocus={isAsking}
        label={words('reason')}
        help={deeds.told}
        rows={2}
        maxLength={1_000}
        value={reason}
        onChange={setReason}
      />
      <Soft>{words('removeNote')}</Soft>
      {removing.isError && <ShownFailure error={removing.error} />}
      <Row>
        <Button type="submit" look="danger" isPending={removing.isPending}>
          {words('remove', { kind })}
        </Button>
        <Button
          onPress={() => {
            clearReason()
            setAsking(false)
            setKept(true)
          }}
        >
          {words('keep', { kind })}
        </Button>
      </Row>
    </Form>
  )
}
