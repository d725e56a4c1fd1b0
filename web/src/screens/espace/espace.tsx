import { getRouteApi } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import type { Me } from '../../api/queries.ts'
import { ScreenLink } from '../../shell/records/links.tsx'
import { usePermissionText } from '../../shell/records/permissions.tsx'
import { PublicSitePage } from '../../shell/records/public-site.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Row } from '../../ui/layout.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Attention } from './attention.tsx'
import { QuickDeeds } from './deeds.tsx'
import { Invitation } from './invitation.tsx'
import { OwnClaims } from './own-claims.tsx'

const route = getRouteApi('/signed-in')

/** Acteurs of the user with what needs attention, invitations to others, and their claims to further ones. */
export function EspaceScreen() {
  const words = useTranslations('espace')
  const permissionsOf = usePermissionText()
  const { me }: { me: Me } = route.useRouteContext()
  return (
    <Page title={words('title')}>
      {me.invitations.map((invitation) => (
        <Invitation key={invitation.id} invitation={invitation} />
      ))}
      {me.acteurs.length + me.invitations.length === 0 && (
        <Empty icon="hall" title={words('none.title')}>
          <p>{words('none.text', { email: me.email ?? '' })}</p>
          <PublicSitePage>{words('none.find')}</PublicSitePage>
        </Empty>
      )}
      {me.acteurs.map((acteur) => (
        <Section key={acteur.acteur_id} title={acteur.nom} note={permissionsOf(acteur)}>
          <Attention acteur={acteur} />
          <Row>
            <QuickDeeds acteur={acteur} />
            <ScreenLink
              icon="right"
              to="/espace/$acteurId"
              params={{ acteurId: acteur.acteur_id }}
              aria-label={words('openNamed', { nom: acteur.nom })}
            >
              {words('open')}
            </ScreenLink>
          </Row>
        </Section>
      ))}
      <OwnClaims isNew={me.acteurs.length === 0} />
    </Page>
  )
}
