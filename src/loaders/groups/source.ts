import { later, type PublicSource } from '../public-source.ts'

export const groups: PublicSource = {
  name: 'groups',
  label: 'Base nationale sur les intercommunalités',
  usage:
    'the intercommunalities with their members, from the same package, or with --file from JSON of its form',
  licence: 'Licence Ouverte 2.0',
  correctedAt: 'https://www.banatic.interieur.gouv.fr',
  address: null,
  isPackaged: true,
  load: later(async () => (await import('./load.ts')).loadGroups),
}
