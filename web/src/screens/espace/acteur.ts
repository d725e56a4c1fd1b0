import { getRouteApi } from '@tanstack/react-router'
import type { Me } from '../../api/queries.ts'
import type { OwnActeur } from './rights.ts'

const route = getRouteApi('/signed-in/espace/$acteurId')

/** Returns the acteur of the URL, as the frame of the space has found it among the user's own. */
export function useActeur(): OwnActeur {
  const { acteurId } = route.useParams()
  const { me }: { me: Me } = route.useRouteContext()
  const acteur = me.acteurs.find(({ acteur_id }) => acteur_id === acteurId)
  if (acteur === undefined) throw new Error('The frame shows no screen without an acteur')
  return acteur
}
