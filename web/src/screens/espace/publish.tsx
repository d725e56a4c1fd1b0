import { getRouteApi } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { ScreenLink } from '../../shell/records/links.tsx'
import { NewPublication } from '../publications/writing/new-form.tsx'
import { useActeur } from './acteur.ts'
import { NotAllowed } from './not-allowed.tsx'
import { mayPublish, mayWrite } from './rights.ts'

const route = getRouteApi('/signed-in/espace/$acteurId/publier')

/** Screen to publish in the name of an acteur. */
export function PublishScreen() {
  const words = useTranslations('writing')
  const { acteurId } = route.useParams()
  const acteur = useActeur()
  if (!mayPublish(acteur)) return <NotAllowed isClosed={mayWrite(acteur)} />
  const { acteur_id: id, nom, can_publish: canPublish, mairie_of: communes } = acteur
  return (
    <NewPublication
      own={{ id, nom, canPublish, communes }}
      back={
        <ScreenLink
          look="quiet"
          small
          icon="back"
          to="/espace/$acteurId/publications"
          params={{ acteurId }}
          activeOptions={{ exact: true }}
        >
          {words('own.title')}
        </ScreenLink>
      }
    />
  )
}
