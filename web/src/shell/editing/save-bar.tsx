import { useTranslations } from 'use-intl'
import { Button } from '../../ui/button.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { ShownFailure } from '../shown-failure.tsx'

type SaveBarProps = { isChanged: boolean; isPending: boolean; error: unknown; onDiscard: () => void }

/** Buttons of a form: saves, or discards what was typed. */
export function SaveBar({ isChanged, isPending, error, onDiscard }: SaveBarProps) {
  const words = useTranslations('communes')
  const ofDraft = useTranslations('draft')
  return (
    <>
      {error !== null && <ShownFailure error={error} />}
      <Row>
        <Button look="primary" type="submit" isPending={isPending} isDisabled={!isChanged}>
          {words('save')}
        </Button>
        {isChanged && <Button onPress={onDiscard}>{words('discard')}</Button>}
        {isChanged && <Soft as="span">{ofDraft('unsaved')}</Soft>}
      </Row>
    </>
  )
}
