type DemoMairie = Record<'adresse' | 'telephone' | 'email' | 'site_web', string | null>

// Telephone numbers are of the ranges that ARCEP keeps for fiction; *.example is reserved by RFC 2606.
function mairie(adresse: string, telephone: string, domaine: string): DemoMairie {
  return {
    adresse,
    telephone,
    email: `mairie@${domaine}.example`,
    site_web: `https://www.${domaine}.example`,
  }
}

const complete: [string, DemoMairie][] = [
  ['75056', mairie('Place de l’Hôtel-de-Ville, 75004 Paris', '01 99 00 75 04', 'paris')],
  ['69123', mairie('1 place de la Comédie, 69001 Lyon', '04 65 71 69 01', 'lyon')],
  ['35238', mairie('Place de la Mairie, 35000 Rennes', '02 61 91 35 00', 'rennes')],
  ['67482', mairie('1 parc de l’Étoile, 67000 Strasbourg', '03 53 01 67 00', 'strasbourg')],
  ['73065', mairie('Place de l’Hôtel-de-Ville, 73000 Chambéry', '04 65 71 73 00', 'chambery')],
  ['93066', mairie('2 place Victor-Hugo, 93200 Saint-Denis', '01 99 00 93 20', 'saint-denis-93')],
  ['97411', mairie('2 rue de Paris, 97400 Saint-Denis', '02 61 91 97 40', 'saint-denis-974')],
  ['2A004', mairie('Avenue Antoine-Serafini, 20000 Ajaccio', '04 65 71 20 00', 'ajaccio')],
  ['46240', mairie('Place de la Mairie, L’Hospitalet, 46500 Rocamadour', '05 36 49 46 50', 'rocamadour')],
  ['29155', mairie('Bourg de Lampaul, 29242 Ouessant', '02 61 91 29 24', 'ouessant')],
  ['12218', mairie('Place de l’Église, Conques, 12320 Conques-en-Rouergue', '05 36 49 12 32', 'conques')],
]

// What lacks, null or blank, is told by the commune's own infos, or by nobody.
const incomplete: [string, DemoMairie][] = [
  ['13055', { ...mairie('2 quai du Port, 13002 Marseille', '04 65 71 13 02', 'marseille'), email: null }],
  ['76351', { ...mairie('1517 place de l’Hôtel-de-Ville, 76600 Le Havre', '', 'le-havre'), site_web: null }],
  ['85194', mairie('   ', '02 61 91 85 10', 'les-sables-d-olonne')],
  ['97209', { ...mairie('Rue de la République, 97200 Fort-de-France', '', 'fort-de-france'), email: '' }],
  ['97302', { ...mairie('', '05 36 49 97 30', 'cayenne'), adresse: null, email: null }],
  ['2B096', { ...mairie('Rue du Colonel-Feracci, 20250 Corte', '', 'corte'), telephone: null }],
  ['69189', { ...mairie('Place de la Mairie, 69560 Sainte-Colombe', '', ''), email: '', site_web: null }],
  ['51410', { adresse: null, telephone: null, email: 'mairie@oeuilly-51.example', site_web: null }],
  ['80829', { adresse: '4 rue de l’École, 80190 Y', telephone: '03 53 01 80 19', email: null, site_web: '' }],
  ['68277', { adresse: null, telephone: null, email: null, site_web: '  ' }],
]

/** By INSEE code; a commune that is not there has no mairie acteur. */
export const demoMairies = new Map([...complete, ...incomplete])
