import { type DemoCommune, type DemoPays, demoSeed } from './communes.ts'

/** The council, the maire first. Names are invented, and alternate women and men as the lists do. */
export function demoElus(commune: DemoCommune) {
  const maire = maires.get(commune.code)
  if (maire === undefined) return []
  const [civilite, prenom = '', ...nom] = maire.nom.split(' ')
  const first = { prenom, nom: nom.join(' '), femme: civilite === 'Mme' }
  return [first, ...colleagues(commune, first)].map((personne, index) => ({
    nom: personne.nom,
    prenom: personne.prenom,
    fonction: fonction(commune.taille, index, personne.femme, maire.atout),
    ordre: index + 1,
    photo_url: index === 0 && commune.taille === 'metropole' ? photo(commune.code) : null,
    mandat_debut: mandatDebut(commune),
  }))
}

type Personne = { prenom: string; nom: string; femme: boolean }

const photo = (code: string) => `https://photos.example/elus/${code}-maire.jpg`

function colleagues({ code, pays, taille }: DemoCommune, maire: Personne): Personne[] {
  const seed = demoSeed(code)
  const pool = personnes[pays]
  const noms = turned(pool.noms, seed).filter((nom) => nom !== maire.nom)
  const femmes = turned(pool.femmes, seed).filter((prenom) => prenom !== maire.prenom)
  const hommes = turned(pool.hommes, seed + 3).filter((prenom) => prenom !== maire.prenom)
  return noms.slice(0, conseils[taille].membres - 1).map((nom, index) => {
    const femme = maire.femme === (index % 2 === 1)
    const prenom = (femme ? femmes : hommes)[index >> 1] ?? ''
    return { prenom, nom, femme }
  })
}

/** The list from some place on, and round to it. */
function turned(list: string, by: number): string[] {
  const words = list.split(', ')
  return words.map((_, index) => words[(index + by) % words.length] ?? '')
}

const conseils = {
  metropole: { membres: 12, adjoints: 6 },
  ville: { membres: 10, adjoints: 5 },
  bourg: { membres: 8, adjoints: 3 },
  village: { membres: 6, adjoints: 2 },
}

const rangs = ['Premier', 'Deuxième', 'Troisième', 'Quatrième', 'Cinquième', 'Sixième']
const enVille = [
  'aux finances et à l’urbanisme',
  'à l’éducation et à la petite enfance',
  'à la transition écologique et aux mobilités',
  'aux solidarités et à la santé',
  'à la culture et au patrimoine',
  'au sport et à la vie associative',
]
const auVillage = [
  'aux finances et aux bâtiments communaux',
  'à l’école et à la vie associative',
  'à la voirie, aux chemins et à l’eau',
]

function fonction(taille: DemoCommune['taille'], index: number, femme: boolean, atout: string): string {
  const { adjoints } = conseils[taille]
  const e = femme ? 'e' : ''
  if (index === 0) return 'Maire'
  if (index <= adjoints) {
    const rang = index === 1 && femme ? 'Première' : rangs[index - 1]
    const domaine = (taille === 'metropole' || taille === 'ville' ? enVille : auVillage)[index - 1]
    return `${rang} adjoint${e}, délégué${e} ${domaine}`
  }
  const titre = femme ? 'Conseillère municipale' : 'Conseiller municipal'
  return index === adjoints + 1 ? `${titre} délégué${e} ${atout}` : titre
}

/** Councils met from 20 to 22 March 2026, or a week later where a second round was needed. */
function mandatDebut({ code, taille }: DemoCommune): string {
  const friday = taille === 'metropole' || taille === 'ville' ? 27 : 20
  return `2026-03-${friday + (demoSeed(code) % 3)}`
}

const maires = new Map(
  [
    ['75056', 'Mme Inès Carpentier-Diallo', 'aux berges de Seine et à la baignade'],
    ['69123', 'M. Bastien Chavassieux', 'aux traboules et à la fête des Lumières'],
    ['35238', 'Mme Maïwenn Le Bihan', 'à la langue bretonne et aux marchés'],
    ['67482', 'M. Matthieu Klingenfus', 'au marché de Noël et aux relations transfrontalières'],
    ['13055', 'Mme Magali Roubaud', 'aux calanques et au littoral'],
    ['33063', 'M. Arnaud Lestage', 'aux quais et au tourisme'],
    ['73065', 'Mme Odile Vauquelin', 'à la montagne et aux jardins'],
    ['93066', 'Mme Kadiatou Lemoine', 'au marché et à la basilique'],
    ['97411', 'M. Jean-Yannick Técher', 'aux sentiers et à la Roche Écrite'],
    ['2A004', 'Mme Laetitia Peraldini', 'à la langue corse et au tourisme'],
    ['46240', 'M. Étienne Lacaze', 'au grand site et au stationnement'],
    ['29155', 'Mme Soizic Malgorn', 'aux liaisons maritimes et aux phares'],
    ['12218', 'M. Géraud Fabre-Delmas', 'à l’abbatiale et aux chemins de Compostelle'],
    ['76351', 'M. Grégoire Vauquier', 'au port et à l’architecture Perret'],
    ['85194', 'Mme Clotilde Rabiller', 'à la course au large et aux plages'],
    ['97209', 'M. Loïc Saint-Aimé', 'au carnaval et à la Savane'],
    ['97302', 'Mme Marie-Line Tarcin', 'au marché et à la place des Palmistes'],
    ['2B096', 'M. Ghjuvan-Battì Castellani', 'à l’université et à la citadelle'],
    ['69189', 'Mme Aglaé Perrachon', 'aux quais du Rhône et aux vestiges gallo-romains'],
    ['51410', 'M. Thibault Charlier', 'au vignoble et à l’écomusée'],
    ['80829', 'Mme Francine Delaporte', 'au jumelage avec Llanfairpwllgwyngyll'],
    ['68277', 'Mme Liesel Hunsinger', 'aux remparts et à la route des vins'],
    ['94038', 'M. Sylvain Berthelot', 'à la roseraie et aux jardins partagés'],
    ['73054', 'Mme Aurore Blanc-Gonnet', 'au déneigement et au funiculaire'],
    ['02565', 'M. Régis Wattelier', 'au chemin des Dames et aux sentiers'],
    ['06059', 'Mme Fabienne Giordan', 'au jardin exotique et au sentier Nietzsche'],
    ['97424', 'Mme Marie-Josée Dijoux', 'aux lentilles, aux îlets et aux sentiers'],
    ['97611', 'M. Nassur Boinahéry', 'à la barge et au lagon'],
    ['24520', 'Mme Hélène Lascombes', 'au marché aux truffes et au festival de théâtre'],
    ['60271', 'M. Aymeric Delignières', 'à la fête des roses'],
    ['97502', 'M. Xabi Detcheberry', 'au port et au déneigement'],
    ['2B134', 'Mme Vannina Orsatelli', 'à la place Paoli et au port'],
  ].map(([code = '', nom = '', atout = '']) => [code, { nom, atout }]),
)

// Twelve surnames or more, and seven first names of each kind: enough for the largest council without a double.
const personnes: Record<DemoPays, Record<'noms' | 'femmes' | 'hommes', string>> = {
  idf: {
    noms: 'Bensaïd, Traoré, Lefranc, Da Silva, Nguyen, Rousselot, Kaboré, Marchand, Zerrouki, Petitjean, Okafor, Vidalenc, Haddad',
    femmes: 'Aïssata, Camille, Samira, Élodie, Linh, Joséphine, Nadia, Apolline',
    hommes: 'Mehdi, Julien, Ousmane, Rafael, Baptiste, Karim, Antonin, Moussa',
  },
  nord: {
    noms: 'Lecoutre, Vasseur, Delattre, Hautecœur, Dumont, Leprêtre, Quesnel, Toutain, Boulanger, Flament, Carlier, Hennequin',
    femmes: 'Bénédicte, Ghislaine, Amandine, Sophie, Maryvonne, Capucine, Delphine',
    hommes: 'Gauthier, Benoît, Fabrice, Ludovic, Marcel, Quentin, Hervé',
  },
  alsace: {
    noms: 'Schmitt, Muller, Wurtz, Oberlin, Kieffer, Zimmermann, Fuchs, Hertzog, Stoeckel, Baumann, Ritter, Engel',
    femmes: 'Anne-Catherine, Elsa, Huguette, Salomé, Yasmine, Monique, Céline',
    hommes: 'Joseph, Théo, Bernard, Raphaël, Selim, Jean-Georges, Yannick',
  },
  bretagne: {
    noms: 'Le Goff, Kermarrec, Tanguy, Riou, Le Floc’h, Guéguen, Berthou, Cozan, Ticos, Pouliquen, Quéméneur, Jézéquel',
    femmes: 'Gwenaëlle, Nolwenn, Anne-Marie, Rozenn, Enora, Jeanne, Katell',
    hommes: 'Erwan, Yann, Loïg, Malo, Hervé, Ronan, Goulven',
  },
  ouest: {
    noms: 'Chauvet, Darrigrand, Gaborit, Etcheverry, Robineau, Lafitte, Pajot, Duluc, Sorin, Castaing, Guibert, Lespinasse, Mornet',
    femmes: 'Maylis, Aurélie, Solange, Jeanne, Leïla, Maïté, Constance',
    hommes: 'Pierrick, Beñat, Vincent, Amadou, Frédéric, Rémi, Jean-Michel',
  },
  sudOuest: {
    noms: 'Bousquet, Delpech, Cazals, Vayssière, Lagarrigue, Soulié, Puech, Marty, Calmels, Bessière, Rigal, Estival',
    femmes: 'Josiane, Marion, Élise, Bernadette, Coralie, Margaux, Paulette',
    hommes: 'Alban, Jean-Louis, Firmin, Sébastien, Paul-Henri, Maxime, Roger',
  },
  alpes: {
    noms: 'Perrier, Mollard, Favre, Burdin, Jacquemet, Guillermin, Arpin, Bonnevie, Chardonnet, Rey, Métral, Saïdi, Grosjean',
    femmes: 'Clémence, Nathalie, Fatiha, Lucie, Pierrette, Noémie, Virginie',
    hommes: 'Régis, Damien, Louis, Yacine, Emmanuel, Thomas, Gaspard',
  },
  provence: {
    noms: 'Barbaroux, Fabre, Giraud, Ferrero, Amrani, Olive, Raybaud, Santucci, Terrasse, Ben Amor, Garcin, Maurel, Isnard',
    femmes: 'Mireille, Sabrina, Estelle, Lina, Colette, Marine, Soraya',
    hommes: 'Titouan, Marius, Nordine, Christophe, Enzo, Patrick, Laurent',
  },
  corse: {
    noms: 'Paoletti, Mattei, Casanova, Luciani, Battesti, Franceschi, Vincentelli, Santoni, Albertini, Graziani, Leca, Poggi',
    femmes: 'Maria-Stella, Ghjulia, Serena, Antoinette, Lesia, Davia, Marie-Ange',
    hommes: 'Petru, Ange-Marie, Dumenicu, François-Xavier, Lisandru, Pasquale, Antoine',
  },
  antilles: {
    noms: 'Célestine, Marie-Sainte, Jean-Baptiste, Bellerose, Montlouis, Fitte-Duval, Labonté, Rosemain, Zébo, Hilaire, Clément, Polydor',
    femmes: 'Rose-Hélène, Ketty, Chantal, Murielle, Line, Jocelyne, Naïma',
    hommes: 'Rodrigue, Steeve, Gérald, Alix, Hector, Jude, Miguel',
  },
  reunion: {
    noms: 'Hoarau, Payet, Grondin, Maillot, Ah-Kong, Virapin, Fontaine, Ramassamy, Boyer, Lauret, Vadivel, Turpin',
    femmes: 'Marie-Claire, Sandrine, Anaïs, Priya, Ginette, Karine, Julie',
    hommes: 'Dominique, Jimmy, Ibrahim, Giovanny, Expédit, Mickaël, Henri',
  },
  mayotte: {
    noms: 'Attoumani, Madi, Saïndou, Boura, Abdallah, Hamada, Ousseni, Mlanao, Youssouffi, Bacari, Combo, Soulaïmana',
    femmes: 'Zaïna, Anfiati, Faouzia, Echati, Roukia, Moinécha, Hidaya',
    hommes: 'Saïd, Daoud, El-Anrif, Kamal, Ali, Moustoifa, Issouf',
  },
}
