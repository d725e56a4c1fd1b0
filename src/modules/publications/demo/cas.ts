/**
 * The cases that an editor meets, each written out: in the form of `demo-textes.ts`, with states between brackets
 * and, before the paragraphs, lines that say who (`par`, an acteur or `mairie` and its commune, or nobody), where
 * (`communes`), from where (`source`), why not (`raison`) and what readers report (`signalement`).
 */
export const demoCas = `
evenement +12 dimanche [featured pinned] | Fête de la pomme
par: Les Croqueurs de pommes de la Leysse
source: https://www.croqueurs-de-la-leysse.example/fete?utm_source=lettre&utm_campaign=automne
Pressage toute la journée, quarante variétés à croquer, et un concours de la plus longue épluchure (record à battre : 3,42 m).
- Apportez vos pommes et vos bouteilles.
- Identification gratuite par nos trois pomologues.
- Soupe, **tarte** et cidre doux à partir de midi.

evenement +12 dimanche [pending] | Chambéry – la fête de la pomme revient
source: http://croqueurs-de-la-leysse.example/fete/
communes: 73065
Repris de l’agenda du massif : pressage, dégustation et épluchage sous le préau. Entrée libre.

evenement +12 dimanche [pending reported] | FÊTE DE LA POMME (rappel)
par: Librairie des Éléphants
source: https://croqueurs-de-la-leysse.example:443/fete?fbclid=IwAR0demo#programme
signalement: duplicate - C’est la troisième fois que je lis cette annonce.
Nous tiendrons un stand de livres de cuisine à la fête. Venez goûter avant d’acheter.

actualite [published] | Le verger ouvre ses grilles aux écoles
par: Les Croqueurs de pommes de la Leysse
Quatre classes {de_commune} viennent greffer leur premier pommier. Dans cinq ans, ils reviendront le manger.

actualite [published reports-closed] | LE VERGER OUVRE SES GRILLES AUX ÉCOLES !
par: Les Croqueurs de pommes de la Leysse
signalement: duplicate - Deux fois le même texte, en majuscules en plus.
Quatre classes {de_commune} viennent greffer leur premier pommier. Dans cinq ans, ils reviendront le manger.

evenement +40 samedi [published] | Bal des pompiers du plateau
par: mairie 69123
source: https://agenda-lyonnais.example/bal?id=412&lieu=croix-rousse
Deux orchestres, une grande échelle pour la photo, et la caserne ouverte jusqu’à deux heures.

evenement +40 samedi [pending] | Bal des pompiers de la Croix-Rousse
source: http://www.agenda-lyonnais.example/bal/?lieu=croix-rousse&id=412&gclid=demo
communes: 69123
Flux de l’agenda lyonnais. Entrée gratuite, vestiaire un euro.

commerce [pending] | Nouveaux horaires de la librairie
par: Librairie du Bas-Belleville
Ouvert désormais du mardi au dimanche, de 10 h à 19 h 30. Le chat, lui, garde ses horaires.

commerce [pending] | Nouveaux  horaires, de la Librairie…
par: Librairie du Bas-Belleville
Ouvert désormais du mardi au dimanche, de 10 h à 19 h 30. Le chat, lui, garde ses horaires.

commerce [deleted] | Nouveaux horaires de la librairie
par: Librairie du Bas-Belleville
Ouvert désormais du mardi au dimanche, de 10 h à 19 h 30. Le chat, lui, garde ses horaires.

evenement +2 vendredi [approved central] | Aubade au marché des Enfants-Rouges
par: Fanfare des Récollets
Vingt minutes de cuivres entre les fleurs et les fromages, le {jour} à 11 h. Bouchons d’oreilles distribués par le primeur.

evenement +45 samedi [scheduled] | Nuit des traboules : la billetterie ouvre bientôt
par: Les Amis des traboules
Trente cours éclairées à la bougie le {jour}. Huit cents places, deux par personne, gratuites : elles partent en une heure.

annonce +60 [scheduled] | Budget participatif : à vous de choisir
par: mairie 35238
Quarante-deux projets retenus, de la pompe à vélo au toboggan dans la Vilaine (à l’étude). Vote en ligne et dans les mairies de quartier jusqu’au {jour}.

travaux +30 lundi pour 45 [scheduled] | Ligne a : trois stations fermées six semaines
par: mairie 35238
Bus relais toutes les six minutes. Les ascenseurs seront refaits du sol au plafond.

evenement +50 dimanche [scheduled featured] | Les Sables prennent le large
par: mairie 85194
Le départ sera donné le {jour} au large du remblai. Programme du village, navettes et parkings-relais à paraître.

actualite [scheduled] | Résultat du concours des maisons fleuries
par: Les Roses de Gerberoy
Le jury s’est disputé toute une soirée. Le palmarès est sous enveloppe, chez la secrétaire, dans la boîte à biscuits.

annonce [unscheduled central] | Fête foraine : règlement en relecture
par: mairie 13055
Texte accepté, date à fixer avec la préfecture de police. Ne pas diffuser avant l’arrêté.

evenement [unscheduled] | Loto de l’école, quatorze jambons
par: École élémentaire de la Grange-aux-Belles
Date en attente de la salle. Les cartons sont déjà imprimés, les jambons déjà promis.

evenement -2 samedi [approved central after] | Balade contée à la lampe
par: Sentier Nietzsche vivant
Merci aux quarante marcheurs du {jour}. Nietzsche serait monté moins vite.

commerce [rejected central] | PERDEZ 10 KILOS AVANT L’ÉTÉ !!!
par: Aux Deux Bassins
raison: Publicité pour un produit sans lien avec le commerce ni avec la commune.
Une formule naturelle que les médecins vous cachent. Livraison en 48 h, satisfait ou remboursé.

annonce [rejected central] | Vends scooter, peu servi
par: Team Roche Écrite
raison: Les petites annonces entre particuliers n’ont pas leur place ici : voyez le panneau du marché.
Scooter 125, 18 000 km, un choc à l’arrière, part avec le casque. À débattre.

actualite [rejected] | Le scandale du rond-point
par: Comité de la place Paoli
raison: Mise en cause nominative de voisins. Reformulez sans les noms, et ce sera publié.
Trois personnes bien connues ont garé leur camionnette sur le terre-plein fleuri. Nous savons qui.

evenement +7 samedi [rejected] | Apéro géant dans les vignes
par: Les Joyeux Œuillyens
raison: Autorisation de buvette et accord du propriétaire manquants.
Chacun apporte sa chaise et sa bouteille, on verra bien qui rentre à pied.

association [rejected central] | Recherche bénévoles, merci d’envoyer un chèque
par: Wema ya Mamoudzou
raison: Compte usurpé, l’association a été prévenue.
Pour soutenir notre action, versez les frais de dossier par mandat à l’adresse suivante.

commerce [pending reported] | Gagnez un panier garni en deux minutes
par: Jardin créole de Balata
signalement: spam - Le lien demande un numéro de carte.
signalement: spam - Arnaque, je connais la gérante, ce n’est pas elle.
signalement: other - 
Répondez à trois questions et laissez-nous vos coordonnées : le tirage a lieu ce soir.

actualite [published reported] | Le marché déménage pour un mois
par: mairie 97302
signalement: wrong - C’est place Schœlcher, pas place des Palmistes.
Les étals s’installent place des Palmistes le temps des travaux de la halle. Les horaires ne changent pas : dès 6 heures.

evenement +6 samedi [published reported featured-until] | Grand kabar du Barachois
par: mairie 97411
signalement: wrong - L’affiche annonce 19 h et le texte 20 h.
signalement: inappropriate - Le bruit, encore le bruit.
Maloya jusqu’à minuit, le {jour} à partir de 20 h. Navettes gratuites depuis le Chaudron, dernier départ à 1 h.

association [published reported] | Les chiens de la plage
par: Sentinelle di i Sanguinari
signalement: inappropriate - Ton méprisant envers les propriétaires de chiens.
Nous avons compté onze chiens sans laisse dimanche, et zéro nid de petit gravelot. Cherchez le rapport.

commerce [published reports-closed] | Réouverture de la terrasse
par: Winstub Zum Storch
signalement: wrong - C’était fermé mardi.
Quarante couverts au soleil, le nid de cigognes en prime. Fermé le lundi, et le mardi quand le cuisinier pêche.

alerte -3 pour 20 [published featured] | Restrictions d’eau : niveau crise
par: mairie 46240
L’arrosage, le lavage des voitures et le remplissage des piscines sont interdits jusqu’au {fin}. Les potagers s’arrosent de 20 h à 8 h.
**Fontaines coupées**, toilettes publiques ouvertes. Merci à tous, même aux géraniums.

alerte -30 pour 2 [published featured-past] | Vigilance orange : les écoles restent fermées
par: mairie 29155
Pas de bateau, pas de classe. Les enfants sont invités à la salle polyvalente, où le poêle marche et où l’on joue aux petits chevaux.

evenement +16 samedi pour 1 [published featured-until] | Foire aux moutons
par: Phares et moutons d’Ouessant
communes: 29155 35238
Tri, marquage et retrouvailles, les {jour} et {fin}. Bateau supplémentaire au départ de Brest, repas {plat} sur réservation.

actualite [published featured-past] | Le Créac’h a cent soixante ans
par: Phares et moutons d’Ouessant
Merci aux mille deux cents visiteurs montés jusqu’à la lanterne. Les jambes suivront.

association [pinned] | Où nous trouver, quand, et comment adhérer
par: Chambéry Escalade Club
Mur de la rue de Chantabord, tous les soirs de 18 h à 22 h. Adhésion de septembre à août, 145 € l’année, moitié prix pour les petits budgets.

commerce [pinned] | Nos engagements, affichés une fois pour toutes
par: Boulangerie Oberlin-Kieffer
Farine du Kochersberg, beurre de la vallée de Munster, et pas d’additif. Le four est à bois depuis 1931.

association [pinned invalid] | Règlement du jardin
par: Les Jardiniers du canal
Pas de bâche, pas de chimie, pas de musique avant neuf heures. Version en cours de réécriture, retirée le temps du vote.

actualite [invalid central] | Sondage : faut-il rebaptiser la place ?
par: mairie 93066
Retiré à la demande du cabinet, le temps d’ajouter une troisième réponse.

evenement -40 dimanche [deleted] | Course de caisses à savon
par: mairie 69189
Reportée deux fois, puis annulée : la pente était trop belle.

evenement +9 dimanche [deleted featured reported] | Concours de cri de cochon
par: Comité des fêtes du Haut-Doubs
signalement: inappropriate - Et la dignité animale ?
Trois catégories, jury de charcutiers. Le vainqueur gagne ce que vous imaginez.

annonce [deleted rejected central] | Vide-maison, tout doit disparaître
par: Potager des Capucins
raison: Annonce privée.
Canapé, vaisselle, aquarium (vide).

actualite [deleted pending] | Brouillon à reprendre
par: Maison de santé du Biollay
À compléter avant envoi : planning des gardes.

evenement +11 samedi [published] | Fête du fleuve, de la Saône au Rhône
par: mairie 69123
communes: 69123 69189
Joutes, radeaux et guinguette sur les deux rives le {jour}. La ViaRhôna est réservée aux vélos, prudence aux passages.

evenement +19 dimanche [published] | De la Seine à la Bièvre, à pied
par: mairie 75056
communes: 75056 94038 93066
Vingt-deux kilomètres, trois boucles, une seule arrivée. Tampons à collectionner, soupe pour qui en a trois.

association [published] | Entraide des deux Sainte-Colombe
par: mairie 69189
communes: 69189 25515
Elles ne se ressemblent pas, elles s’écrivent quand même : le jumelage le moins lointain de France fête ses dix ans.

evenement +23 samedi [published] | A tribbiera, fête du blé et des chants
par: Voce di u Cumunu
communes: 2B096 2B134 2A004
Battage à l’ancienne, repas en plein air et paghjelle au coucher du soleil. Le {jour}, puis une semaine plus tard à L’Île-Rousse.

evenement +35 dimanche [pending] | Rencontre des communes au nom le plus court
par: Y-Sport, la plus courte des équipes
communes: 80829 06059
Y reçoit Èze : une lettre contre trois. Match à 15 h le {jour}, {plat} à la mi-temps.

travaux -6 pour 40 [published] | Route coupée entre Cilaos et la côte
par: mairie 97411
communes: 97411 97424
Éboulis au kilomètre onze. Passage par convois à 6 h, 12 h et 18 h jusqu’au {fin} ; le ravitaillement est assuré.

evenement +8 mercredi [pending] | Ciné-goûter à la médiathèque
source: https://flux-bretagne.example/agenda/ouessant/8812
communes: 29155
Importé d’un agenda sans acteur : un film muet, un pianiste, du far.

actualite [published] | Chemins de Compostelle : fréquentation record
source: https://flux-occitanie.example/chemins/bilan
communes: 12218 46240
Vingt-neuf mille marcheurs cette année, autant d’ampoules. Reprise d’un communiqué de l’agence des chemins.

actualite [published] | Notre dernière saison, en photos
par: Théâtre du Petit Panier
La compagnie est en sommeil, pas ses souvenirs : cent vingt clichés, trois fous rires et une chute.

evenement -90 vendredi [published after] | La dernière séance
par: Ciné-club d’Y
Onze spectateurs, neuf chaises, un chef-d’œuvre. Merci pour tout.

association [pending] | Première veillée, venez avec une histoire
par: Les Joyeux Œuillyens
On éteint les écrans à 20 h, on rallume la cheminée. Châtaignes fournies.
`
