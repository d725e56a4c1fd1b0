import type { IconName } from '../../ui/icon.tsx'
import { isMairie, type OwnActeur } from './rights.ts'

type Part = { name: string; to: string; icon: IconName; isFor: (acteur: OwnActeur) => boolean }
const everybody = () => true

/** Parts of the space of an acteur, in the order of its navigation. */
const parts = [
  { name: 'home', to: '/espace/$acteurId', icon: 'home', isFor: everybody },
  {
    name: 'publications',
    to: '/espace/$acteurId/publications',
    icon: 'list',
    isFor: everybody,
  },
  { name: 'alertes', to: '/espace/$acteurId/alertes', icon: 'bell', isFor: isMairie },
] as const satisfies readonly Part[]

export type SpacePart = (typeof parts)[number]

export const partsFor = (acteur: OwnActeur): SpacePart[] => parts.filter(({ isFor }) => isFor(acteur))

/** Returns the part to which a path belongs. */
export function partOf(path: string): SpacePart | undefined {
  const [, , name = ''] = path.replace(/^\//, '').split('/')
  const belongs =
    { '': 'home', publier: 'publications', supervision: 'publications', alerter: 'alertes' }[name] ?? name
  return parts.find((part) => part.name === belongs)
}
