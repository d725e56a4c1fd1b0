/** What the texts say of a place, each ready to stand in a sentence. */
export type DemoLieu = Record<'place' | 'salle' | 'rue' | 'nature' | 'quartier' | 'plat', string>

/** `code | place | hall | street | outdoors | quarter, with its article | a dish` */
const lines = `
75056 | place Sainte-Marthe | à la Maison des associations du 10e | rue de la Grange-aux-Belles | le long du canal Saint-Martin | du Bas-Belleville | soupe à l’oignon gratinée
69123 | place des Tapis | à la salle Édouard-Herriot | rue d’Austerlitz | sur les quais de Saône | du plateau de la Croix-Rousse | saladier lyonnais et cervelle de canut
13055 | place de Lenche | à la salle du Belvédère | rue du Refuge | sur le sentier des calanques | du Panier | panisses et pieds-paquets
35238 | place Sainte-Anne | à la salle de la Cité | rue Saint-Malo | sur le chemin de halage de la Vilaine | de Bourg-l’Évesque | galettes-saucisses
67482 | place du Marché-Gayot | à la salle de la Bourse | rue des Orfèvres | au bord de l’Ill | de la Krutenau | tartes flambées
33063 | place des Capucins | à l’Athénée municipal | rue Kléber | sur les quais rive droite | de Saint-Michel | grattons et cannelés
73065 | place de Genève | à la salle Jean-Renoir | rue Croix-d’Or | au bord de la Leysse | du Biollay | diots au vin blanc et crozets
76351 | place Perret | à la salle François-Ier | rue du Maréchal-Joffre | sur les hauteurs de Sainte-Adresse | de l’Eure | marmite dieppoise
85194 | place de la Liberté | à la salle Calypso | rue des Bossis | sur le remblai | de La Chaume | sardines grillées et mojettes
94038 | place de la République | au Moulin de la Bièvre | rue Jean-Jaurès | dans les allées de la roseraie | du Jardin parisien | couscous aux sept légumes
93066 | place Jean-Jaurès | à la Bourse du travail | rue de la République | sur les berges du canal | des Francs-Moisins | thiéboudiène et tiep végétarien
97411 | sur le Barachois | à la salle du Champ-Fleuri | rue Maréchal-Leclerc | sur le sentier de la Roche Écrite | du Bas-de-la-Rivière | cari poulet et rougail tomate
97209 | sur la Savane | au Grand Carbet | rue Victor-Hugo | sur les hauteurs de Balata | des Terres-Sainville | colombo de cabri et accras
97302 | place des Palmistes | à la salle du Zéphyr | rue du Lieutenant-Brassé | sur le sentier du Rorota | de la Crique | bouillon d’awara
97611 | place de la République | à la MJC de Cavani | rue du Commerce | sur la pointe Mahabou | de Cavani | mataba et brochettes
2A004 | place Foch | à la salle du Lazaret | cours Napoléon | sur le sentier des Crêtes | du Borgu | civet de sanglier et pulenta
97424 | place de l’Église | à la salle du Marché couvert | rue du Père-Boiteau | sur le sentier de Bras-Rouge | de Mare-Sèche | lentilles au boucané
97502 | place du Général-de-Gaulle | au Centre culturel | rue Boursaint | sur le sentier de l’étang de Savoyard | de l’Anse-à-Rodrigue | tiaude de morue
2B096 | place Gaffory | à la salle polyvalente de la Citadelle | cours Paoli | dans les gorges de la Restonica | de Chjarasgiu | stufatu et fiadone
2B134 | place Paoli | au cinéma Le Fogata | rue Notre-Dame | sur l’îlot de la Pietra | de Ghjunchitu | merlu, blettes et beignets
12218 | place de l’Abbatiale | à la salle des fêtes de Saint-Cyprien | rue Charlemagne | sur le chemin du Dourdou | de Saint-Cyprien | aligot-saucisse
24520 | place de la Liberté | au Centre culturel | rue de la République | sur la voie verte | de Temniac | enchaud et pommes sarladaises
46240 | devant la porte du Figuier | à la salle des fêtes de L’Hospitalet | rue de la Couronnerie | dans la vallée de l’Alzou | de L’Hospitalet | cabécous et agneau du Causse
06059 | place de la Colette | à la salle de la Planète | avenue du Jardin-Exotique | sur le sentier Nietzsche | du Bord-de-Mer | barbajuans et socca
73054 | place de la Gare | à la salle de la Petite-Planète | Grande-Rue | sur la piste des bords de l’Isère | de Séez-le-Haut | beaufort, farcement et pormoniers
69189 | place Aristide-Briand | à la salle Georges-Brassens | rue Garon | sur la ViaRhôna | des Petits-Jardins | quenelles sauce Nantua
25515 | place de la Fruitière | à la salle de la Fruitière | rue du Mont | dans les pâtures du Laveron | du Haut | saucisse de Morteau et cancoillotte
51410 | devant l’église | à la salle du Pressoir | rue de la Libération | dans les rangs de vigne | du Coteau | potée champenoise
02565 | devant le lavoir | à la salle communale | rue de l’Église | sur le chemin de halage de l’Aisne | du Bas | ficelles picardes
29155 | devant l’église de Lampaul | à la salle polyvalente | rue du Stiff | sur le sentier côtier | de Lampaul | ragoût dans les mottes
68277 | place de la Sinn | à la salle des fêtes | rue du Général-de-Gaulle | sur le sentier viticole des Grands Crus | du Château | baeckeoffe
60271 | devant la halle | à la salle du Tripot | rue du Château | sur la ceinture des remparts | du Tour-de-Ville | tarte au maroilles
80829 | devant la mairie | à l’ancienne école | rue de l’École | le long de la Somme | du Calvaire | flamiche aux poireaux
`

/** By INSEE code. */
export const demoLieux: ReadonlyMap<string, DemoLieu> = new Map(
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [code = '', place = '', salle = '', rue = '', nature = '', quartier = '', plat = ''] =
        line.split(' | ')
      return [code, { place, salle, rue, nature, quartier, plat }]
    }),
)
