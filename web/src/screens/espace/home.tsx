import { getRouteApi } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import type { Me } from '../../api/queries.ts'
import { Permissions } from '../../shell/records/permissions.tsx'
import { PublicSiteLink } from '../../shell/records/public-site.tsx'
import { Row } from '../../ui/layout.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { useActeur } from './acteur.ts'
import { Attention } from './attention.tsx'
import { Deeds } from './deeds.tsx'
import { LeaveTeam } from './leave-team.tsx'
import { Inactive } from './not-allowed.tsx'
import { OwnClaims } from './own-claims.tsx'
import { isInactiveBody, isShown } from './rights.ts'
import { isUnlinked, Setup, useSteps } from './setup.tsx'

const route = getRouteApi('/signed-in')

/** Home of an acteur: what one can do, what needs attention, and the way out of its team. */
export function ActeurHomeScreen() {
  const words = useTranslations('espace')
  const { me }: { me: Me } = route.useRouteContext()
  const acteur = useActeur()
  const steps = useSteps(acteur)
  const isComplete = !isUnlinked(acteur) && steps.every(({ isDone }) => isDone)
  return (
    <Page title={words('homeTitle')}>
      {!isShown(acteur) && (
        <Notice tone="warn" title={words('closed.title')}>
          <p>{words('closed.text')}</p>
          {isInactiveBody(acteur) && <Inactive />}
        </Notice>
      )}
      <Deeds acteur={acteur} />
      <Section title={words('attention.title')}>
        <Setup acteur={acteur} me={me} steps={steps} />
        <Attention acteur={acteur} isAlone={isComplete} />
      </Section>
      {me.acteurs.length === 1 && <OwnClaims isShort />}
      <Section title={words('youMay')}>
        <Permissions membership={acteur} />
      </Section>
      <Row isSoft as="p">
        {isShown(acteur) && <PublicSiteLink kind="acteurs" slug={acteur.slug} />}
        <LeaveTeam acteurId={acteur.acteur_id} userId={me.id} />
      </Row>
    </Page>
  )
}
