import { useTranslations } from 'use-intl'
import { Notice } from '../../ui/notice.tsx'
import { NotSent } from './uploads.ts'

/** Tells that files wait to be sent, if that is why a form was not saved. */
export function NotSentNotice({ error }: { error: unknown }) {
  const words = useTranslations('media')
  if (!(error instanceof NotSent)) return null
  return (
    <Notice tone="bad" title={words('notSent')}>
      <p>{words('notSentText')}</p>
    </Notice>
  )
}
