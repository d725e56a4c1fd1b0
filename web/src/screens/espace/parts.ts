import type { IconName } from '../../ui/icon.tsx'
import {
  isOfGroup,
  isPublicBody,
  mayEditCommune,
  mayEditPage,
  mayManageTeam,
  type OwnActeur,
} from './rights.ts'

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
  { name: 'alertes', to: '/espace/$acteurId/alertes', icon: 'bell', isFor: isPublicBody },
  { name: 'acts', to: '/espace/$acteurId/actes', icon: 'document', isFor: isPublicBody },
  { name: 'collectes', to: '/espace/$acteurId/collectes', icon: 'calendar', isFor: isOfGroup },
  { name: 'page', to: '/espace/$acteurId/page', icon: 'shop', isFor: mayEditPage },
  { name: 'commune', to: '/espace/$acteurId/commune', icon: 'place', isFor: mayEditCommune },
  { name: 'team', to: '/espace/$acteurId/equipe', icon: 'users', isFor: mayManageTeam },
] as const satisfies readonly Part[]

export type SpacePart = (typeof parts)[number]

export const partsFor = (acteur: OwnActeur): SpacePart[] => parts.filter(({ isFor }) => isFor(acteur))

/** Returns the part of an acteur's space to which a path belongs. */
export function partOf(path: string, acteur: OwnActeur): SpacePart | undefined {
  const [, , name = ''] = path.replace(/^\//, '').split('/')
  const names: Record<string, SpacePart['name']> = {
    '': 'home',
    publier: 'publications',
    supervision: 'publications',
    groupements: 'publications',
    alerter: 'alertes',
    resultats: 'alertes',
    actes: 'acts',
    equipe: 'team',
    webhooks: 'team',
    // A mairie finds its files beside the collections of its commune.
    ...(!isOfGroup(acteur) && { collectes: 'commune' }),
  }
  return parts.find((part) => part.name === (names[name] ?? name))
}
