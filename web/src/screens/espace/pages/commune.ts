import { useActeur } from '../acteur.ts'
import { mayEditCommune, type OwnActeur } from '../rights.ts'

/** Returns the commune of the path if the user may edit it for its mairie. */
export function useOwnCommune(communeId: string): OwnActeur['mairie_of'][number] | undefined {
  const acteur = useActeur()
  return mayEditCommune(acteur) ? acteur.mairie_of.find(({ id }) => id === communeId) : undefined
}
