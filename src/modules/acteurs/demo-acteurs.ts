import { slugify } from '../../platform/text.ts'

/** What an acteur writes about: the demo publications draw on it. */
export type DemoGenre =
  | 'ecole'
  | 'entraide'
  | 'ferme'
  | 'fete'
  | 'fournil'
  | 'jardin'
  | 'librairie'
  | 'mediatheque'
  | 'musique'
  | 'nature'
  | 'patrimoine'
  | 'sante'
  | 'scene'
  | 'sport'
  | 'table'

export type DemoActeur = {
  code: string
  type: string
  genre: DemoGenre
  slug: string
  nom: string
  rue: string
  description: string
  etat: Set<string>
  badge: string | null
}

/** `code type genre etat… | nom | rue | description | badge`. Without a state it is validated, active, and may not publish. */
function parse(line: string): DemoActeur {
  const [head = '', nom = '', rue = '', description = '', badge = null] = line.split(' | ')
  const [code = '', type = '', genre = '', ...etat] = head.split(' ')
  const slug = `${slugify(nom)}-${code.toLowerCase()}`
  return { code, type, genre: genre as DemoGenre, slug, nom, rue, description, etat: new Set(etat), badge }
}

const lines = `
75056 association jardin publie | Les Jardiniers du canal | 8 rue de la Grange-aux-Belles, 75010 | Des bacs, deux ruches et un compost de quartier au bord du canal Saint-Martin. | Jardin partagé
75056 association entraide publie | La Soupe de Sainte-Marthe | 31 rue Sainte-Marthe, 75010 | Chaque soir, soixante repas chauds et une chaise pour qui veut parler. | Partenaire de la ville
75056 commerce librairie | Librairie du Bas-Belleville | 54 boulevard de la Villette, 75019 | Romans, bandes dessinées, et un fauteuil que tout le monde s’arrache.
75056 ecole ecole | École élémentaire de la Grange-aux-Belles | 36 rue de la Grange-aux-Belles, 75010 | Douze classes, un potager sur le toit et une chorale.
75056 association musique | Fanfare des Récollets | 148 rue du Faubourg-Saint-Martin, 75010 | Trente cuivres qui répètent trop fort, et s’en excusent en jouant mieux.
75056 commerce table attente | Café des Lilas blancs | 3 rue de Sambre-et-Meuse, 75010 | Fiche déposée par le gérant, pièces à vérifier.
69123 association patrimoine publie | Les Amis des traboules | 12 montée de la Grande-Côte, 69001 | Visites, relevés et rénovation des passages de la Croix-Rousse. | Coup de cœur
69123 commerce table publie | Bouchon Chez Mémé Fanchon | 5 rue des Trois-Maries, 69005 | Quenelles, tablier de sapeur, et la recette de la cervelle de canut si l’on demande gentiment.
69123 association sport | Aviron de l’Île-Barbe | Quai Raoul-Carrié, 69009 | Du huit de compétition à la balade du dimanche sur la Saône.
69123 service mediatheque publie | Bibliothèque de la Croix-Rousse | 12 rue de Cuire, 69004 | Quarante mille documents, et la grainothèque du plateau.
13055 association sport publie | Boule des Accoules | Montée des Accoules, 13002 | Pétanque, et un terrain que l’ombre atteint à seize heures pile. | Champions 2025
13055 commerce table | La Criée de Noailles | 17 rue du Musée, 13001 | Poissons du matin, pois chiches du Sud, cartes écrites à la craie.
13055 association nature publie | Calanques propres | 3 traverse du Cap, 13009 | Ramassages à pied, en kayak et en apnée, d’En-Vau à Sormiou.
13055 association scene inactif | Théâtre du Petit Panier | 22 rue du Panier, 13002 | Compagnie d’amateurs en sommeil, le temps de retrouver une salle.
35238 association fete publie | Comité des fêtes de la Vilaine | 6 quai Saint-Cyr | Fest-noz, vide-greniers et galettes-saucisses depuis 1974.
35238 commerce fournil | Fournil Saint-Michel | 9 rue Saint-Malo | Pain au sarrasin et kouign-amann, sorti du four à sept heures.
35238 service mediatheque publie | Médiathèque Lucien-Rose | 36 rue de Châteaugiron | Prêt, jeux vidéo, et heure du conte en breton le samedi.
67482 association musique publie | Chorale de la Robertsau | 80 rue Boecklin, 67000 | Quarante voix, trois langues, un chef patient.
67482 commerce fournil publie | Boulangerie Oberlin-Kieffer | 14 rue des Orfèvres | Bretzels, kougelhopfs et pain d’épices de trois générations. | Artisan
67482 ecole ecole | École Sainte-Madeleine | 1 rue Sainte-Madeleine | École bilingue au bord de l’Ill.
33063 association jardin | Potager des Capucins | 24 rue Kléber | Une friche devenue potager derrière le marché.
33063 commerce librairie publie | La Machine à dire | 8 rue des Faussets | Poésie, essais et thé fumé jusqu’à vingt heures.
33063 association entraide publie | Vélo pour tous Bordeaux-Sud | 31 cours de la Marne | Atelier où l’on répare soi-même, aidé de mains noires de cambouis. | Éco-citoyen
73065 association jardin publie | Les Croqueurs de pommes de la Leysse | 14 chemin des Moulins | Verger de cent vingt variétés, greffes, tailles et pressages. | Coup de cœur
73065 association sport publie | Chambéry Escalade Club | 223 rue de Chantabord | Du mur de bloc à la Dent du Chat, à partir de six ans.
73065 commerce librairie | Librairie des Éléphants | 7 rue de Boigne | Montagne, jeunesse, et conseils à voix basse.
73065 service sante | Maison de santé du Biollay | 40 rue du Biollay | Médecins, kinés, sage-femme et une salle d’attente qui donne sur le Nivolet.
76351 association patrimoine publie | Le Havre Béton Debout | 2 place Perret | Ceux qui trouvent le béton beau, et le font visiter.
76351 association nature | Les Galets verts | 41 boulevard Albert-Ier | Ramassages sur la plage, comptage des oiseaux du cap.
76351 commerce table | Aux Deux Bassins | 19 quai Southampton | Moules, frites et tempêtes vues de l’intérieur.
85194 association sport publie | Voile sablaise pour tous | Quai Alain-Gerbault | Dériveurs, handivoile, et sorties du soir quand le vent tient. | Handisport
85194 commerce table | Crêperie du Passeur | 3 quai George-V | Vient d’ouvrir à La Chaume, au pied de l’embarcadère.
85194 autre patrimoine publie | Maison des marins de La Chaume | 11 rue du Moulin | Mémoire de la pêche à la sardine, racontée par ceux qui l’ont faite.
94038 association jardin publie | Rosiéristes de L’Haÿ | 5 rue Albert-Watel | Taille, bouturage et bourse aux rosiers anciens.
94038 association sport attente | L’Haÿ Roller | 2 allée de la Plaine | Randonnées nocturnes à roulettes, statuts en cours de dépôt.
94038 ecole ecole | École du Jardin parisien | 12 rue du Jardin-Parisien | Huit classes et une mare pédagogique.
93066 association scene publie | Compagnie des Francs-Moisins | 9 rue de Lorraine | Théâtre, slam et costumes cousus sur place.
93066 association entraide publie | Les Mamans de la Basilique | 4 rue de la Légion-d’Honneur | Aide aux devoirs, couture, et le meilleur thiéboudiène du département. | Solidarité
93066 commerce ferme inactif | L’Épicerie du canal | 27 quai du Square | Vrac et paniers de légumes, fermée pour travaux.
97411 association sport publie | Team Roche Écrite | 61 rue Monthyon | Trail et randonnée, départs avant le soleil.
97411 commerce table | Ti Kaz Dijoux | 18 rue Maréchal-Leclerc | Caris au feu de bois, rougail saucisses le jeudi.
97209 association musique publie | Orphéon de la Savane | 22 rue Ernest-Deproge | Bèlè, biguine et fanfare de carnaval.
97209 commerce ferme | Jardin créole de Balata | Route de Balata | Dachines, christophines et paniers du samedi.
97302 association fete publie | Comité Palmistes en fête | Place des Palmistes | Bals parés-masqués, jeux et marchés de nuit.
97302 service sante | Centre de soins de la Crique | 7 rue du Vieux-Port | Consultations sans rendez-vous, en quatre langues.
97302 commerce table attente | Chez Ti-Paul | 14 avenue du Général-de-Gaulle | Ouverture le mois prochain, numéro d’entreprise attendu.
97611 association entraide publie | Wema ya Mamoudzou | Rue du Commerce | Cours de français, cantine du mercredi, aide aux démarches.
97611 ecole ecole | École de Cavani-Sud | Rue Soweto | Deux rotations par jour, et une équipe de rugby imbattable.
2A004 association nature publie | Sentinelle di i Sanguinari | Route des Sanguinaires | Garde du sentier, baguage d’oiseaux, et ménage des criques.
2A004 commerce librairie | Libreria di u Borgu | 14 rue Fesch | Livres corses et d’ailleurs, lectures le vendredi soir.
97424 association nature publie | Les Îlets de Cilaos | 12 rue du Séminaire | Entretien des sentiers et accueil des marcheurs fourbus.
97424 commerce ferme publie | Lentilles de l’Îlet-à-Cordes | Îlet-à-Cordes | Lentilles, vin de Cilaos, et broderies de la grand-mère. | Producteur
97502 association sport | Zazpiak Bat Pelote | Place Richard-Briand | Pelote basque au fronton, brouillard compris.
97502 autre fete publie | Arche des fêtes insulaires | 3 rue Boursaint | Kermesses, doris et soupe de poisson.
2B096 association musique publie | Voce di u Cumunu | Cours Paoli | Polyphonies, paghjelle, et cours ouverts à toutes les voix.
2B134 association fete | Comité de la place Paoli | Place Paoli | Bals d’été, concours de boules et marché d’artisans.
12218 association patrimoine publie | Pierres et chemins de Conques | Rue Gonzague-Florens | Murets, fontaines et accueil des pèlerins.
12218 mairie patrimoine attente | Mairie déléguée de Noailhac | Le Bourg, Noailhac | Permanence le jeudi, pas encore reliée à la commune.
24520 commerce ferme publie | Ferme des Chanterelles | Lieu-dit Temniac | Noix, oies et cèpes quand ils veulent bien. | Producteur
24520 association scene publie | Les Tréteaux de la Boétie | 2 rue Tourny | Théâtre en plein air dans les cours de la vieille ville.
46240 association patrimoine publie | Les Escaliers de Rocamadour | Rue de la Couronnerie | Deux cent seize marches, et des bénévoles à chaque palier.
06059 association nature | Sentier Nietzsche vivant | Avenue du Jardin-Exotique | Débroussaillage et lecture, dans cet ordre.
73054 association sport publie | Ski-club des Trois Vallons | Place de la Gare | Ski de fond, rollerski et soirée fondue.
73054 commerce ferme publie | Coopérative du Beaufort d’alpage | Avenue du Stade | Fromages, visites de la cave, et un beurre qu’on n’oublie pas. | Producteur
69189 association patrimoine | Mosaïques et légendes | Place Aristide-Briand | La mosaïque des Dieux, expliquée aux petits et aux grands.
25515 association fete | Comité des fêtes du Haut-Doubs | Place de la Fruitière | Repas à la saucisse de Morteau, feux de la Saint-Jean.
51410 commerce ferme publie | Champagne Charlier-Hautecœur | 4 rue de la Libération | Vignerons indépendants, portes ouvertes aux vendanges. | Vigneron
02565 association fete | Les Joyeux Œuillyens | 2 rue de l’Église | Veillées et concours de belote, association créée ce mois-ci.
29155 association nature publie | Phares et moutons d’Ouessant | Lampaul | Foire aux moutons, sauvegarde des murets et garde de nuit au Créac’h. | Patrimoine vivant
68277 commerce table publie | Winstub Zum Storch | 6 rue du Général-de-Gaulle | Baeckeoffe sur commande, nid de cigognes sur le toit.
60271 association jardin publie | Les Roses de Gerberoy | Rue du Château | Trente bénévoles et mille rosiers.
80829 association sport | Y-Sport, la plus courte des équipes | 4 rue de l’École | Football à sept, faute d’habitants. | Esprit sportif
80829 association scene supprime | Ciné-club d’Y | 4 rue de l’École | Dissous après la dernière séance, faute de chaises.
35238 commerce fournil supprime | Le Pain perdu de Sainte-Anne | 2 place Sainte-Anne | Fermé, fiche effacée à la demande de l’ancien propriétaire.
69123 autre entraide inactif | Ressourcerie des Pentes | 20 rue des Capucins, 69001 | Déménage : la fiche revient dès que les clés arrivent.
`

/** Associations, shops, schools and services of the demo communes, in every state. */
export const demoActeurs: DemoActeur[] = lines.trim().split('\n').map(parse)
