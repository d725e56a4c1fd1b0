import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Webhooks } from '../../shell/webhooks/webhooks.tsx'
import { useActeur } from './acteur.ts'
import { NotAllowed } from './not-allowed.tsx'
import { mayManageTeam } from './rights.ts'

const route = getRouteApi('/signed-in/espace/$acteurId/webhooks')

/** Screen of the programs that are told of the changes of an acteur, for its owners. */
export function ActeurWebhooksScreen() {
  const acteur = useActeur()
  const navigate = useNavigate()
  const search = route.useSearch()
  if (!mayManageTeam(acteur)) return <NotAllowed />
  return (
    <Webhooks
      acteurId={acteur.acteur_id}
      search={search}
      onSearch={(next) => void navigate({ to: '.', search: next })}
    />
  )
}
