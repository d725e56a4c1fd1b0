import { departementOf } from '../../modules/communes/departements.ts'
import { randomOf } from './random.ts'

/** What the land of a commune looks like, in doubt a hill: a sea drawn inland would be ridiculous. */
export type Relief = 'montagne' | 'colline' | 'plaine' | 'mer'
export type Land = { codeInsee: string; relief: Relief }

/** The land of the platform. */
export const platformLand: Land = { codeInsee: 'parvis', relief: 'colline' }

const mountains = '04 05 06 09 15 2A 2B 38 48 65 66 73 74'.split(' ')
const plains = '02 10 18 28 36 37 41 45 51 59 60 62 75 77 78 80 91 92 93 94 95 973'.split(' ')
/** Islands whose communes have a coast, nearly all of them. */
const islands = '971 972 974 975 976 977 978 987 988'.split(' ')
/** By name: "Saint-Aubin-sur-Mer", "Les Moutiers-en-Retz" no. Only in départements with a coast. */
const coast = '06 11 13 14 17 22 29 2A 2B 30 33 34 35 40 44 50 56 59 62 64 66 76 80 83 85'.split(' ')
const namedAfterSea = /-(?:sur|en)-Mer$|-Plages?$|-Océan$|^(?:L’|L')?Île-(?:de-|d’|d')|-les-Flots$/
/** Large towns by the sea whose name does not say it. */
const ports = new Set(
  (
    '06004 06029 06083 06088 06123 13028 13055 13022 13054 14220 14333 14118 17300 17306 17299 22168 22278 29019 29039 29046 29103 ' +
    '29217 29232 2A004 2A041 2A247 2B033 2B050 30133 33009 33529 34301 34003 34192 34344 35288 35093 40046 44055 44184 44131 ' +
    '50129 50218 50502 56121 56034 56260 56186 59183 62193 62160 62826 62108 64122 64024 64483 66148 66053 76217 76259 76254 76351 ' +
    '80688 80182 83137 83119 83118 83069 83061 83112 85194 85234 85113 85166 11266 11202'
  ).split(' '),
)

export function reliefOf({ code_insee, nom }: { code_insee: string; nom: string }): Relief {
  const departement = departementOf(code_insee)
  if (islands.includes(departement) || ports.has(code_insee)) return 'mer'
  if (coast.includes(departement) && namedAfterSea.test(nom)) return 'mer'
  if (mountains.includes(departement)) return 'montagne'
  return plains.includes(departement) ? 'plaine' : 'colline'
}

export const landOf = (commune: { code_insee: string; nom: string }): Land => ({
  codeInsee: commune.code_insee,
  relief: reliefOf(commune),
})

/** Colours named after the country, from which a town without one of its own gets one. */
export const countryColors = {
  ardoise: '#3f5a73',
  brique: '#9c4a34',
  ocre: '#a8732a',
  mousse: '#5c7337',
  lac: '#1f6f78',
  mer: '#22629a',
  lavande: '#6f5a9a',
  vigne: '#7d2f4a',
  sapin: '#2f6049',
  granit: '#5f5a66',
  chataigne: '#7a5236',
  bruyere: '#8a4a7c',
}
type CountryColor = keyof typeof countryColors

const colorsOf: Record<Relief, readonly CountryColor[]> = {
  montagne: ['ardoise', 'sapin', 'lac', 'granit', 'lavande', 'bruyere'],
  colline: ['mousse', 'vigne', 'brique', 'sapin', 'lavande', 'chataigne', 'ocre'],
  plaine: ['ocre', 'mousse', 'brique', 'ardoise', 'chataigne', 'lac'],
  mer: ['mer', 'lac', 'ardoise', 'granit', 'sapin'],
}

/** Returns the colour of a town that has chosen none: always the same one. */
export function colorOfLand({ codeInsee, relief }: Land): string {
  const all = colorsOf[relief]
  const random = randomOf(`couleur ${codeInsee}`)
  return countryColors[all[Math.floor(random() * all.length)] ?? 'lac']
}
