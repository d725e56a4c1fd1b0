import { useTranslations } from 'use-intl'
import { usePermissionText } from '../../shell/records/permissions.ts'
import { Page } from '../../ui/page.tsx'
import { useActeur } from './acteur.ts'

/** Page in place of a part that the user's permissions do not open: says what they may do instead. */
export function NotAllowed() {
  const words = useTranslations('espace.notAllowed')
  const acteur = useActeur()
  const permissions = usePermissionText()(acteur)
  return (
    <Page title={words('title')}>
      <p>{words('text', { nom: acteur.nom, permissions })}</p>
      <p>{words('ask')}</p>
    </Page>
  )
}
