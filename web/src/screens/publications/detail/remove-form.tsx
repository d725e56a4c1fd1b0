import { useTranslations } from 'use-intl'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import type { MediaKind } from '../../../shell/media/queries.ts'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { Row, Soft } from '../../../ui/layout.tsx'
import { Told } from '../writing/told.tsx'
import type { MediaDeeds } from './picture.ts'

type FormProps = {
  kind: MediaKind
  id: string
  deeds: MediaDeeds
  reason: string
  /** Whether the user has just asked for it: a draft takes no focus. */
  isAsked: boolean
  onReason: (reason: string) => void
  onRemoved: () => void
  onKept: () => void
}

/** Form for the reason of a removal. */
export function RemoveForm({ kind, id, deeds, reason, isAsked, onReason, onRemoved, onKept }: FormProps) {
  const words = useTranslations('queue.media')
  const removing = useSubmit({
    mutationFn: () => deeds.onRemove(id, reason.trim()),
    onSuccess: onRemoved,
  })
  return (
    <Form onSubmit={removing.submit} isSaving={removing.isPending}>
      <TextField
        autoFocus={isAsked}
        label={words('reason')}
        help={<Told publication={deeds.publication} />}
        rows={2}
        maxLength={1_000}
        value={reason}
        onChange={onReason}
      />
      <Soft>{words('removeNote')}</Soft>
      {removing.isError && <ShownFailure error={removing.error} />}
      <Row>
        <Button type="submit" look="danger" isPending={removing.isPending}>
          {words('remove', { kind })}
        </Button>
        <Button onPress={onKept}>{words('keep', { kind })}</Button>
      </Row>
    </Form>
  )
}
