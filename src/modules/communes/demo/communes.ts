export type DemoCommune = {
  code: string
  /** Latitude and longitude of the town centre, near enough. */
  at: readonly [number, number]
  taille: 'metropole' | 'ville' | 'bourg' | 'village'
  /** Where its people's names come from. */
  pays: DemoPays
}

export type DemoPays =
  | 'idf'
  | 'nord'
  | 'alsace'
  | 'bretagne'
  | 'ouest'
  | 'sudOuest'
  | 'alpes'
  | 'provence'
  | 'corse'
  | 'antilles'
  | 'reunion'
  | 'mayotte'

/** Métropoles and villages, overseas and Corsica; several of one name; names of one letter, with ligatures. */
export const demoCommunes: DemoCommune[] = [
  // Paris, Lyon, Marseille, Rennes, Strasbourg, Bordeaux
  { code: '75056', at: [48.8566, 2.3522], taille: 'metropole', pays: 'idf' },
  { code: '69123', at: [45.7676, 4.8358], taille: 'metropole', pays: 'alpes' },
  { code: '13055', at: [43.2965, 5.3698], taille: 'metropole', pays: 'provence' },
  { code: '35238', at: [48.1113, -1.68], taille: 'metropole', pays: 'bretagne' },
  { code: '67482', at: [48.5734, 7.7521], taille: 'metropole', pays: 'alsace' },
  { code: '33063', at: [44.8378, -0.5792], taille: 'metropole', pays: 'ouest' },
  // Chambéry, Le Havre, Les Sables-d’Olonne, L’Haÿ-les-Roses, Saint-Denis twice
  { code: '73065', at: [45.5646, 5.9178], taille: 'ville', pays: 'alpes' },
  { code: '76351', at: [49.4944, 0.1079], taille: 'ville', pays: 'nord' },
  { code: '85194', at: [46.4969, -1.7833], taille: 'ville', pays: 'ouest' },
  { code: '94038', at: [48.7797, 2.3372], taille: 'ville', pays: 'idf' },
  { code: '93066', at: [48.9362, 2.3574], taille: 'ville', pays: 'idf' },
  { code: '97411', at: [-20.8789, 55.4481], taille: 'ville', pays: 'reunion' },
  // Fort-de-France, Cayenne, Mamoudzou, Cilaos, Saint-Pierre (Saint-Pierre-et-Miquelon)
  { code: '97209', at: [14.6037, -61.067], taille: 'ville', pays: 'antilles' },
  { code: '97302', at: [4.9372, -52.326], taille: 'ville', pays: 'antilles' },
  { code: '97611', at: [-12.7806, 45.2278], taille: 'ville', pays: 'mayotte' },
  { code: '97424', at: [-21.1344, 55.4719], taille: 'bourg', pays: 'reunion' },
  { code: '97502', at: [46.7811, -56.1764], taille: 'bourg', pays: 'ouest' },
  // Ajaccio, Corte, L’Île-Rousse
  { code: '2A004', at: [41.9192, 8.7386], taille: 'ville', pays: 'corse' },
  { code: '2B096', at: [42.3063, 9.149], taille: 'bourg', pays: 'corse' },
  { code: '2B134', at: [42.6347, 8.9381], taille: 'bourg', pays: 'corse' },
  // Conques-en-Rouergue, Sarlat-la-Canéda, Rocamadour, Èze, Bourg-Saint-Maurice
  { code: '12218', at: [44.5994, 2.3972], taille: 'bourg', pays: 'sudOuest' },
  { code: '24520', at: [44.8902, 1.2165], taille: 'bourg', pays: 'sudOuest' },
  { code: '46240', at: [44.7994, 1.6178], taille: 'village', pays: 'sudOuest' },
  { code: '06059', at: [43.7278, 7.3617], taille: 'bourg', pays: 'provence' },
  { code: '73054', at: [45.6186, 6.7697], taille: 'bourg', pays: 'alpes' },
  // Sainte-Colombe twice (Rhône, Doubs), Œuilly twice (Marne, Aisne)
  { code: '69189', at: [45.5261, 4.867], taille: 'bourg', pays: 'alpes' },
  { code: '25515', at: [46.882, 6.263], taille: 'village', pays: 'alpes' },
  { code: '51410', at: [49.07, 3.8], taille: 'village', pays: 'nord' },
  { code: '02565', at: [49.366, 3.7], taille: 'village', pays: 'nord' },
  // Ouessant, Riquewihr, Gerberoy, Y
  { code: '29155', at: [48.4585, -5.0964], taille: 'village', pays: 'bretagne' },
  { code: '68277', at: [48.1667, 7.2978], taille: 'village', pays: 'alsace' },
  { code: '60271', at: [49.5347, 1.8514], taille: 'village', pays: 'nord' },
  { code: '80829', at: [49.8031, 2.9911], taille: 'village', pays: 'nord' },
]

/** A number that a commune always gets, so that neighbours differ and each run agrees with the one before. */
export function demoSeed(code: string): number {
  return Number.parseInt(code, 36) % 9973
}
