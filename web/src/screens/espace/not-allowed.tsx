import { useTranslations } from 'use-intl'
import { Permissions } from '../../shell/records/permissions.tsx'
import { Page } from '../../ui/page.tsx'
import { useActeur } from './acteur.ts'
import { bodyOf } from './rights.ts'

type NotAllowedProps = {
  /** Whether the mairie or the group is inactive, and the part is for active ones. */
  isInactive?: boolean
  /** Whether the public does not see the acteur, and the part is for those that it sees. */
  isClosed?: boolean
}

/** Page in place of a part that is not open to the user: says why, and what they may do instead. */
export function NotAllowed({ isInactive = false, isClosed = false }: NotAllowedProps) {
  const words = useTranslations('espace.notAllowed')
  const ofSpace = useTranslations('espace')
  const acteur = useActeur()
  if (isInactive || isClosed)
    return (
      <Page title={ofSpace('closed.title')}>
        {isInactive ? <Inactive /> : <p>{ofSpace('closed.text')}</p>}
      </Page>
    )
  return (
    <Page title={words('title')}>
      <p>{words('text', { nom: acteur.nom })}</p>
      <Permissions membership={acteur} />
      <p>{words('ask')}</p>
    </Page>
  )
}

/** What an inactive mairie or group can do no more, and how that ends. */
export function Inactive() {
  const words = useTranslations('espace')
  return <p>{words('inactive', { of: bodyOf(useActeur()) })}</p>
}
