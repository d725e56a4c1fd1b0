import { useTranslations } from 'use-intl'
import { ApiFailure } from '../../../api/failure.ts'
import { Overtaken } from '../../../shell/editing/save.ts'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import styles from './editor.module.css'

type SaveBarProps = { isChanged: boolean; isPending: boolean; error: unknown; onDiscard: () => void }

/** Buttons of a form: saves, or discards what was typed. */
export function SaveBar({ isChanged, isPending, error, onDiscard }: SaveBarProps) {
  const words = useTranslations('communes')
  const ofDraft = useTranslations('draft')
  return (
    <>
      {Boolean(error) && !(error instanceof Overtaken) && <ShownFailure error={error} />}
      <div className={styles.buttons}>
        <Button look="primary" type="submit" isPending={isPending} isDisabled={!isChanged}>
          {words('save')}
        </Button>
        {isChanged && <Button onPress={onDiscard}>{words('discard')}</Button>}
        {isChanged && <span className={styles.soft}>{ofDraft('unsaved')}</span>}
      </div>
    </>
  )
}

/** Returns the message of the service about a field; null if it has none. */
export const refusalOf = (error: unknown, field: string): string | null =>
  error instanceof ApiFailure
    ? (error.details.find((detail) => detail.field === field || detail.field.startsWith(`${field}.`))
        ?.message ?? null)
    : null
